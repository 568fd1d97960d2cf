internal import Files
internal import GroupContainer

extension Pipeline {
    /// Ends deliveries that are open, failed or quarantined, for example those to a sink that is gone. They count as
    /// declined, and ``deliver(retrying:pace:opened:report:)`` can open them again.
    ///
    /// - Parameter names: each is the beginning of a delivery's or a package's identifier, or the identifier of a sink.
    /// - Returns: the number of deliveries.
    /// - Throws: ``IngestionError`` if the container fails, or if a name stands for no such delivery; `CancellationError`.
    public func dismiss(_ names: [String]) async throws -> Int {
        do {
            let container = try await openContainer()
            let count = try await BlockingCall.run { try container.deliveries.dismiss(names) }
            try await cancelOrphanedTransfers()
            return count
        } catch let error as CancellationError {
            throw error
        } catch {
            throw IngestionError(error)
        }
    }
}
