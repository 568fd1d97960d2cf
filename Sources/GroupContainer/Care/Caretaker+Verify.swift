public import ShareModel

extension Caretaker {
    /// Holds every row against its file, every file against its row, and the rows against one another.
    ///
    /// Findings are told in one order whatever the number of jobs: the catalog's, then by the objects' names. Memory is
    /// fixed, but for the names in one of the 256 folders. Writers are held up only while a damaged object is moved away.
    ///
    /// - Parameters:
    ///   - now: the time as rows have it.
    ///   - isStopped: asked between objects.
    ///   - report: called from several threads.
    /// - Throws: ``ContainerError`` where the container cannot be used; `CancellationError` when stopped.
    public func verify(
        _ options: VerifyOptions, now: @escaping @Sendable () -> String,
        isStopped: @escaping @Sendable () -> Bool = { false }, report: @escaping @Sendable (CareEvent) -> Void
    ) throws -> Verified {
        var verifier = Verifier(self, options, now: now, isStopped: isStopped, report: report)
        return try verifier.run()
    }
}
