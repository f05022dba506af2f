/// The room where statistics of a log become values of keys.
