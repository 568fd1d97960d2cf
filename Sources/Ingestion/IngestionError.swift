internal import Files
internal import GroupContainer
internal import Reading
public import ShareModel
internal import SinkHost

/// A failure that ends a run, or that makes a request impossible. A bad input is no such error: its receipt records it, and
/// the run goes on.
public struct IngestionError: ExplainedError {
    /// The kinds of failure that a program can act upon.
    public enum Code: Sendable {
        /// The container cannot be used.
        case container
        /// A named package, delivery or path does not exist.
        case notFound
        /// The request is contradictory or malformed.
        case usage
    }

    /// The kind of failure.
    public var code: Code
    /// For people: what failed, and on what.
    public var message: String
    /// An action for a person, if the message does not name it. A program words it by its own commands.
    public var remedy: Remedy?

    /// A failure of a kind, in words for people.
    public init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// The same error, naming the input that has no room.
    func withoutRoom(for name: String) -> IngestionError {
        IngestionError(code, "\(name) has no room: \(message)", remedy: remedy)
    }

    /// Translates an error of the modules below. Their codes are for this package only, so an embedding program sees the
    /// three codes above.
    public init(_ error: any Error) {
        switch error {
        case let error as IngestionError: self = error
        case let error as ContainerError:
            self.init(Code(error.code), error.message, remedy: error.remedy)
        case let error as SinkHostError:
            self.init(error.code == .notFound ? .notFound : .usage, error.message, remedy: error.remedy)
        // The inputs of a run have receipts. What remains is an input that the caller made, such as a pipe.
        case let error as ReadingError: self.init(.usage, error.message, remedy: error.remedy)
        case let error as FileError: self.init(.container, error.message, remedy: error.remedy)
        default: self.init(.container, "\(error)")
        }
    }
}

extension IngestionError.Code {
    fileprivate init(_ code: ContainerError.Code) {
        self =
            switch code {
            case .notFound: .notFound
            case .cursor, .limit: .usage
            default: .container
            }
    }
}
