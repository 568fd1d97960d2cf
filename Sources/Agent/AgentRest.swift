package import Files
public import ShareModel

/// What an agent leaves to the next program of its process: without work, to a small one that waits until there is work again; and
/// after an upgrade, to the new one.
///
/// The agent itself cannot rest as deeply: its runtime wakes every second, and needs several times the memory.
public struct AgentRest: Sendable {
    /// The time, in milliseconds since 1970, when a delivery is due; `nil` if none waits for its time.
    public var until: Int64?
    /// Reports every change of the container since there was no work; `nil` if it is over for another reason.
    package let watch: FileWatch?
    /// For the agent that goes on.
    public var past: AgentPast
}

/// What an agent was that goes on in the same process.
public struct AgentPast: Sendable, Codable {
    /// The process, whose descriptors these are.
    public var process: Int32
    /// The descriptor of the socket, where clients may wait already.
    public var socket: Int32
    /// The descriptor of the agent's lock.
    public var lock: Int32
    /// When the agent began, in milliseconds since 1970.
    public var began: Int64
    /// The deliveries that it has made, by outcome.
    public var deliveries: Summary.Deliveries
}
