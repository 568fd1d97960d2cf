import ContainerTools
import GroupContainer
import ShareModel
import SystemPackage

/// Keeps the search index up to date during a long run, so that the first search after it has little to read.
///
/// A failure changes nothing: the next search reads what the index does not have.
enum IndexKeeper {
    /// How long a run lasts before the index is opened. Most runs take in a few files, and a search reads these in no time.
    /// Searches know of the run before, and leave most of what is new to it.
    private static let delay = Duration.seconds(2)

    /// Runs `work`, and follows the container meanwhile, if there is one to follow.
    static func during<Value: Sendable>(
        _ container: FilePath?, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let container else { return try await work() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await follow(container) }
            defer { group.cancelAll() }
            return try await work()
        }
    }

    /// Follows the container until the task is canceled. Then a transaction under way is completed, which may take a few
    /// seconds.
    private static func follow(_ container: FilePath) async {
        var delay = delay
        while !Task.isCancelled {
            do {
                let end: Void? = try await SearchIndex.keeping(container, after: delay) {
                    try await follow(container, $0)
                }
                if end != nil { return }
            } catch {
                return
            }
            // The run has not made its container yet, or another long run keeps the index. When that ends, this one goes on.
            try? await Task.sleep(for: Self.delay)
            delay = .zero
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
