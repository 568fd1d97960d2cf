internal import GroupContainer
public import ShareModel

/// Why a share was not taken in. Nothing of it is in the container.
public struct SharingError: ExplainedError {
    /// The kinds of failure. There are no others.
    public enum Code: Sendable, CaseIterable {
        /// Nothing was added to the session, or what was added has no content.
        case nothingToShare
        /// A file, or a description on standard input, cannot be read.
        case unreadableSource
        /// The destination that was named is unknown, or takes nothing of the share.
        case noDestination
        /// There is no container in the folder.
        case noContainer
        /// The container has to be migrated first, and the share cannot wait in its inbox: the inbox is full, or the share is a
        /// folder. A sharing session never migrates.
        case needsMigration
        /// A newer program wrote the container.
        case newerFormat
        /// The disk has no room for the content.
        case noSpace
        /// The session was canceled before the share was durable.
        case canceled
        /// The container cannot be used for another reason.
        case container
    }

    /// The kind of failure.
    public var code: Code
    /// For people: what failed, and on what.
    public var message: String
    /// The remedy, unless the message has it.
    public var remedy: Remedy?

    /// A failure, in words for people.
    public init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// Translates an error of the pipeline.
    init(_ error: any Error) {
        switch error {
        case let error as SharingError: self = error
        case is CancellationError: self.init(.canceled, "the share was canceled; nothing of it was stored")
        case let error as ContainerError: self.init(Code(error.code), error.message, remedy: error.remedy)
        default:
            let explained = IngestionError(error)
            let isForRoom = [.makeRoom, .makeRoomOrLowerReserve].contains(explained.remedy)
            let code: Code =
                switch explained.code {
                case _ where isForRoom: .noSpace
                case .usage, .notFound: .unreadableSource
                case .container: .container
                }
            self.init(code, explained.message, remedy: explained.remedy)
        }
    }
}

extension SharingError.Code {
    fileprivate init(_ code: ContainerError.Code) {
        self =
            switch code {
            case .notAContainer: .noContainer
            case .olderFormat: .needsMigration
            case .newerFormat: .newerFormat
            case .full, .tooLarge: .noSpace
            default: .container
            }
    }
}
