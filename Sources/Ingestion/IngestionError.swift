internal import Files
internal import GroupContainer
public import ShareModel
internal import SinkHost

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
    /// For people: what failed, and on what.
    public var message: String
    /// What a person can do, if the message does not say it. A program words it by its own commands.
    public var remedy: Remedy?

    /// A failure of a kind, in words for people.
    public init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// Any error of the modules below as one of these.
    public init(_ error: any Error) {
        switch error {
        case let error as IngestionError: self = error
        case let error as ContainerError:
            self.init(Code(error.code), error.message, remedy: error.remedy)
        case let error as SinkHostError:
            self.init(error.code == .notFound ? .notFound : .usage, error.message, remedy: error.remedy)
        case let error as FileError: self.init(.container, error.message, remedy: error.remedy)
        default: self.init(.container, "\(error)")
        }
    }

    /// The message and the remedy's neutral words.
    public var description: String { message.with(remedy) }
}

extension IngestionError.Code {
    fileprivate init(_ code: ContainerError.Code) {
        self =
            switch code {
            case .notFound: .notFound
            case .cursor: .usage
            default: .container
            }
    }
}
