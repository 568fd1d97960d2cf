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
    /// For people: names the failed step, its object and the reason.
    package var message: String
    /// An action for a person, if the message does not name it.
    package var remedy: Remedy?

    package init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}
