package import ShareModel

/// Why sinks cannot be found, started or tested at all. A failure of one delivery is no such error.
package struct SinkHostError: ExplainedError {
    /// The kinds of failure that a caller can act upon.
    package enum Code: Sendable {
        /// No sink has that name, or it cannot be used.
        case notFound
        /// The request is contradictory, or this system lacks something that it needs.
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
}
