/// The property of an `Owner` that a plain key fills.
package struct Field<Owner>: Sendable {
  /// What the property says.
  package let value: @Sendable (Owner) -> any KeyValue
  /// Changes nothing where the property cannot say that.
  package let fill: @Sendable (inout Owner, any KeyValue) -> Void

  init<Value: KeyValue>(_ property: any WritableKeyPath<Owner, Value> & Sendable) {
    value = { $0[keyPath: property] }
    fill = { owner, value in
      if let value = Value(read: value) { owner[keyPath: property] = value }
    }
  }
}

/// A part of a scenario that is complete without any key: its properties begin with the defaults of the file format.
package protocol Keyed {
  init()
}

extension Keyed {
  /// The defaults with changes.
  package static func with(_ change: (inout Self) -> Void) -> Self {
    var value = Self()
    change(&value)
    return value
  }
}
