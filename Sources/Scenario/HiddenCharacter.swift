extension Unicode.Scalar {
  /// Whether it may hide or change the text around it: controls, which terminals obey and XML forbids, marks of the
  /// reading direction, line separators, noncharacters.
  package var isHidden: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF:
      true
    default: false
    }
  }
}
