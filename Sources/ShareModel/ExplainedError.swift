/// An error that says what failed, on what, and what a person can do about it.
///
/// A library's errors carry a ``Remedy`` as a value, because only the program knows its own commands and options.
public protocol ExplainedError: Error, CustomStringConvertible {
    /// The kinds of failure that a program can act upon.
    associatedtype Code: Sendable

    /// The kind of failure.
    var code: Code { get }
    /// For people: what failed, and on what.
    var message: String { get }
    /// An action for a person, if the message does not name it.
    var remedy: Remedy? { get }
}

extension ExplainedError {
    /// The message and the remedy's neutral words.
    public var description: String { message.with(remedy) }
}
