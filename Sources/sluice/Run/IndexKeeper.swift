import ContainerTools
import GroupContainer
import ShareModel
import SystemPackage

/// Keeps the search index up to date during a long run, so that the first search after it has little to read.
///
/// A failure changes nothing: the next search reads what the index does not have.
enum IndexKeeper {
    /// How long a run lasts before the index is opened. Most runs take in a few files, and a search reads these in no time.
    private static let delay = Duration.seconds(2)

    /// Runs `work`, and follows the container meanwhile.
    static func during<Value: Sendable>(
        _ container: FilePath, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await follow(container) }
            defer { group.cancelAll() }
            return try await work()
        }
    }

    /// Follows the container until the task is canceled. Then a transaction under way is completed, which may take a few
    /// seconds.
    static func follow(_ container: FilePath) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: delay)
            // Until the run has made a new container, there is nothing to read.
            guard !Task.isCancelled, let reader = try? CatalogReader(reading: container) else { continue }
            do {
                // Another long run may keep the index. When it ends, this one goes on.
                let end: Void? = try await SearchIndex.keeping(reader) { try await follow(container, $0) }
                if end != nil { return }
            } catch {
                return
            }
        }
    }

    private static func follow(_ container: FilePath, _ index: SearchIndex) async throws {
        try index.update { _ in !Task.isCancelled }
        var request = ChangeFeed.Request()
        request.since = try index.cursor()
        request.follows = true
        try await ChangeFeed(reading: container).read(request) { _ in
            _ = try index.update { _ in !Task.isCancelled }
        }
    }
}
