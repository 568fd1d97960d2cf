package import SinkTools

/// What a reader found in a text.
package struct Note {
    package var text = ProductText()
    package var findings = Findings()
    /// Why there is no text, if it is not only that there is no word.
    package var reason: String?
    /// Whether a reader left out text because of a limit.
    package var isCut = false

    package init(reason: String? = nil) { self.reason = reason }

    /// Sets what has no value yet.
    package mutating func complete(_ key: String, _ text: String?) {
        if findings[key] == nil { findings.set(key, text) }
    }
}
