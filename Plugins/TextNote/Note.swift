import SinkTools

/// What a reader found in a text.
struct Note {
    var text = ProductText()
    var findings = Findings()
    /// Why there is no text, if it is not only that there is no word.
    var reason: String?
    /// Whether a reader left out text because of a limit.
    var isCut = false

    /// Sets what has no value yet.
    mutating func complete(_ key: String, _ text: String?) {
        if findings[key] == nil { findings.set(key, text) }
    }
}
