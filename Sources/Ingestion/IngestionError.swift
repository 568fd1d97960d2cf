internal import GroupContainer

/// Something that ends a run, or a request that cannot be answered: what failed, on what, and the remedy.
public struct IngestionError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is, for a program to act upon.
    public enum Code: Sendable {
        /// The container cannot be used.
        case container
        /// A named package, delivery or path is not there.
        case notFound
        /// The request makes no sense.
        case usage
    }

    /// The kind of failure.
    public var code: Code
    /// For people: what failed, on what, and the remedy where one is known.
    public var message: String

    /// A failure of a kind, in words for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Any error of the modules below as one of these.
    public init(_ error: any Error) {
        switch error {
        case let error as IngestionError: self = error
        case let error as ContainerError:
            self.init(error.code == .notFound ? .notFound : .container, error.message)
        default: self.init(.container, "\(error)")
        }
    }

    /// The message.
    public var description: String { message }
}
