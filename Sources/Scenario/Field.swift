/// The property of an `Owner` that a plain key fills.
package struct Field<Owner>: Sendable {
  /// What the property says.
  package let content: @Sendable (Owner) -> KeyContent
  /// Changes nothing where the property cannot say that.
  package let fill: @Sendable (inout Owner, KeyContent) -> Void

  init<Value: KeyValue>(_ property: any WritableKeyPath<Owner, Value> & Sendable) {
    content = { owner in owner[keyPath: property].content }
    fill = { owner, content in
      if let value = Value(content: content) { owner[keyPath: property] = value }
    }
  }
}

/// A part of a scenario that is complete without any key: its properties begin with the defaults of the file format.
package protocol Keyed {
  init()
}
