import SinkTools

/// What a reader found in a document.
struct Document {
    var text = ProductText()
    var findings = Findings()
    /// What could not be read, in words.
    var problem: String?
    var isDamaged = false
    var needsPassword = false

    /// Keeps the first problem, which is most likely the cause of the others.
    mutating func damage(_ why: String?) {
        guard let why else { return }
        problem = problem ?? why
        isDamaged = true
    }

    static let locked = Document(problem: "it needs a password", needsPassword: true)
}
