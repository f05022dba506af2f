import Studies
import Testing

/// Numbers as written in scenarios, without meaningless digits.
@Test(arguments: [
  (64.5, "64.5"), (64, "64"), (1.2344, "1.234"), (0.0125, "0.0125"), (999.9996, "1000"), (12_345.6, "12346"),
])
func numbersOfSettingsAreShort(value: Double, text: String) {
  #expect(SettingNumber.text(value) == text)
}
