/// The reason why a sink cannot be used or started now: what is wrong, in which file, and the remedy. It does not count
/// against the sink's deliveries, which stay pending.
package struct SinkObstacle: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
