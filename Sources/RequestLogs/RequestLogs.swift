/// The room where bytes of access logs become requests.
