/// Why a sink cannot be used or started as things are: what is wrong, in which file, and the remedy. Nothing is wrong with
/// its deliveries.
package struct SinkObstacle: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
