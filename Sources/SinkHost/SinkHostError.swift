package import ShareModel

/// Why sinks cannot be found, started or tested as a whole: what failed, on what, and the remedy.
package struct SinkHostError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure that a caller can act upon.
    package enum Code: Sendable {
        /// No sink has that name, or it cannot be used.
        case notFound
        /// The request makes no sense, or this system lacks what it needs.
        case usage
    }

    package var code: Code
    /// What failed, on what, and why.
    package var message: String
    /// What a person can do, if the message does not say it.
    package var remedy: Remedy?

    package init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// The message and the remedy's neutral words.
    package var description: String { message.with(remedy) }
}
