package import Scenario
package import Words

extension Code {
  /// Title, meaning and remedy of a code, for `explain` and for the documents.
  package var meaning: Word { Catalogue.codes[rawValue] }
}
