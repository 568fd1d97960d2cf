/// The limits of one side of a channel. They hold for each connection, except ``connections``.
public struct ChannelLimits: Sendable, Equatable {
    /// The largest length of a line, in bytes, with its line feed. A longer line ends the connection of its sender, because
    /// the beginning of the next one is unknown.
    public var lineBytes = 1 << 20
    /// The most levels of arrays and objects in a line. A deeper body is refused.
    public var depth = 32
    /// The most file descriptors with one line, at most 64. More of them end the connection.
    public var descriptors = 16
    /// The most bytes of lines that the kernel has not taken yet, because the other side does not read.
    public var queueBytes = 4 << 20
    /// The most messages that the program has not taken from ``ChannelConnection/events``, and requests that it has not
    /// answered, together. At the limit nothing more is read until there are half as many.
    public var openMessages = 256
    /// The most requests to the other side that wait for an answer.
    public var openRequests = 1_024
    /// The most connections of a server, with those that have not greeted yet. A further one gets a goodbye.
    public var connections = 1_024
    /// The time within which the other side has to send its greeting, and the time for which a queue may make no progress.
    public var patience = Duration.seconds(10)

    /// The standard limits.
    public init() {}
}
