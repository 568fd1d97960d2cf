internal import GroupContainer

/// Something that ends a run, or a request that cannot be answered: what failed, on what, and the remedy.
public struct IngestionError: Error, Sendable, CustomStringConvertible {
    public enum Code: Sendable {
        /// The container cannot be used.
        case container
        /// A named package, delivery or path is not there.
        case notFound
        /// The request makes no sense.
        case usage
    }

    public var code: Code
    public var message: String

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

    public var description: String { message }
}
