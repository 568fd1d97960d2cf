public import ShareModel

extension Caretaker {
    /// Removes rows of objects that nothing refers to, and files without a row that are older than the grace.
    ///
    /// Writers wait for at most one slice of removals. What is no object is told and left alone; empty folders stay.
    ///
    /// - Parameters:
    ///   - now: in seconds since 1970.
    ///   - isStopped: asked between slices.
    /// - Throws: ``ContainerError`` where the container cannot be used; `CancellationError` when stopped.
    public func collect(
        _ options: CollectOptions, now: Int64, isStopped: @escaping @Sendable () -> Bool = { false },
        report: @escaping @Sendable (CollectEvent) -> Void
    ) throws -> Collected {
        var collector = Collector(self, options, now: now, isStopped: isStopped, report: report)
        return try collector.run()
    }
}
