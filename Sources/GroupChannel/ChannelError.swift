public import ShareModel
internal import SystemPackage

/// A failure of a channel.
public struct ChannelError: ExplainedError, Equatable {
    /// The kinds of failure that a caller can act upon.
    public enum Code: Sendable, Equatable {
        /// No server listens under the name.
        case noServer
        /// Another process serves the name. Its identifier is `nil` if the system does not show it.
        case alreadyServed(process: Int32?)
        /// The server's backlog of new connections is full.
        case busy
        /// The line, with the value in it, or its descriptors exceed a limit of this side.
        case tooLarge
        /// The other side has not read what was sent before, or has not answered, and the queue for it is full.
        case queueFull
        /// The connection has ended.
        case ended(Invalidation)
        /// The other side refused the message.
        case refused(Refusal)
        /// No answer came within the time of the request.
        case timedOut
        /// The system failed.
        case system
    }

    /// What failed.
    public var code: Code
    /// What failed, on what, and why.
    public var message: String
    /// None: the message says what there is to do.
    public var remedy: Remedy? { nil }

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    init(system number: Errno, _ doing: String) { self.init(.system, "\(doing) failed: \(number.description)") }

    init(ended reason: Invalidation) { self.init(.ended(reason), "the connection has ended: \(reason)") }
}

/// Why a message was not taken. The connection stays open.
public struct Refusal: Codable, Sendable, Equatable {
    /// The kinds of refusal. Other names may come from a newer peer.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable {
        /// The name in messages.
        public var rawValue: String

        /// The code with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The receiver does not accept this type.
        public static let unknownType = Code(rawValue: "unknown-type")
        /// The body is not a value of its type.
        public static let malformed = Code(rawValue: "malformed")
        /// The body has more levels than the receiver's limit.
        public static let tooDeep = Code(rawValue: "too-deep")
        /// The answer exceeds a limit of the receiver.
        public static let tooLarge = Code(rawValue: "too-large")
        /// The receiver does not do this for this peer, or not now.
        public static let notAllowed = Code(rawValue: "not-allowed")
        /// The receiver did not answer.
        public static let unanswered = Code(rawValue: "unanswered")
    }

    /// The number of the request; `nil` for another message.
    public var id: Int64?
    /// The name of the type of the refused message; `nil` if it could not be read.
    public var type: String?
    /// The kind of refusal.
    public var code: Code
    /// The reason, for a person.
    public var why: String

    init(_ code: Code, _ why: String, id: Int64?, type: String?) {
        (self.id, self.type, self.code, self.why) = (id, type, code, why)
    }
}

/// Why a connection ended. Each side gets exactly one reason, and no event of the connection follows it.
public enum Invalidation: Sendable, Equatable, CustomStringConvertible {
    /// This side closed it.
    case closed
    /// The other side said goodbye, with its reason if it gave one.
    case goodbye(String?)
    /// The other process ended, was killed, or closed its end without a goodbye.
    case vanished
    /// The other side broke the protocol, in the way that the text names.
    case misbehaved(String)
    /// The other side did not read what it was sent: its queue was full, or made no progress for too long.
    case tooSlow
    /// The other side did not greet in time, or sent nothing until the time of a request was over.
    case silent

    /// The reason, in words.
    public var description: String {
        switch self {
        case .closed: "this side closed it"
        case .goodbye(let why?): "the other side said goodbye: \(why)"
        case .goodbye: "the other side said goodbye"
        case .vanished: "the other process ended or closed it"
        case .misbehaved(let why): "the other side broke the protocol: \(why)"
        case .tooSlow: "the other side does not read what it is sent"
        case .silent: "the other side is silent"
        }
    }
}
