public import GroupChannel
public import Ingestion
public import ShareModel

/// Asks the agent what it does. The answer is an ``AgentStatus``.
public struct AgentStatusRequest: ChannelRequest {
    /// The answer.
    public typealias Answer = AgentStatus
    /// The name in messages.
    public static let type = "agent.status"

    /// The request.
    public init() {}
}

/// Tells the agent what to do. The answer is its status after that.
public struct AgentOrder: ChannelRequest {
    /// The answer.
    public typealias Answer = AgentStatus
    /// The name in messages.
    public static let type = "agent.order"

    /// What to do.
    public enum Order: String, Codable, Sendable, CaseIterable {
        /// Try every open delivery now, also those that are due later. It ends a pause.
        case deliver
        /// Make no delivery until `resume`. A delivery under way may still end.
        case pause
        /// End a pause.
        case resume
        /// End. A delivery under way may still end; the others stay open.
        case stop
    }

    /// What to do.
    public var order: Order

    /// An order.
    public init(_ order: Order) { self.order = order }
}

/// What an agent does, and has done since it began.
public struct AgentStatus: Codable, Sendable, Equatable {
    /// The activities of an agent.
    public enum Activity: String, Codable, Sendable {
        /// It makes deliveries.
        case delivering
        /// It waits for a delivery, or for the time of the next one.
        case resting
        /// It makes no deliveries until it gets the order `resume`.
        case paused
    }

    /// The identifier of its process.
    public var process: Int32
    /// The version of its program.
    public var version: String
    /// When it began, in milliseconds since 1970.
    public var began: Int64
    /// What it does.
    public var activity: Activity
    /// When it makes the next deliveries, in milliseconds since 1970; `nil` if none is open that it can make.
    public var next: Int64?
    /// The deliveries that it has ended, by outcome.
    public var deliveries: Summary.Deliveries
    /// The open deliveries of each sink.
    public var open: [OpenDeliveries]
    /// The latest reasons why sinks cannot be started, or deliveries not be made.
    public var attention: [String]
    /// The options of its deliveries; `nil` from an older agent.
    public var uses: Options?

    /// The options that another process may have set otherwise. Those of the agent count for what it delivers.
    public struct Options: Codable, Sendable, Equatable {
        /// The folders of sinks, besides the bundled ones, as absolute paths.
        public var sinks: [String]
        /// The folder of settings; `nil` if there is none.
        public var settings: String?
        /// `preferred`, `required` or `off`.
        public var sandbox: String
    }

    enum CodingKeys: String, CodingKey {
        case process, version, activity, deliveries, open, attention, uses
        case began = "began_ms"
        case next = "next_ms"
    }
}

extension AgentStatus.Options {
    /// The part of a run's options that another process may have set otherwise.
    public init(_ options: IngestOptions) {
        sinks = options.sinkFolders.map(\.absolute.string)
        settings = options.configurationFolder.map(\.absolute.string)
        sandbox = options.containment.rawValue
    }
}

/// Tells all clients that the container has changed. It is a hint: read the feed for what you may have missed.
public struct ContainerChanged: ChannelMessage {
    /// The name in messages.
    public static let type = "container.changed"
    /// The most changes of one message. After more changes at once, several messages follow.
    public static let limit = 100

    /// The changes, in the order of the feed: packages that were stored, deliveries that ended, and so on.
    public var changes: [ChangeEntry]
}

/// Tells all clients that something needs a person, such as a sink that cannot be started.
public struct AttentionNeeded: ChannelMessage {
    /// The name in messages.
    public static let type = "attention.needed"

    /// What is wrong, and the remedy.
    public var why: String
}
