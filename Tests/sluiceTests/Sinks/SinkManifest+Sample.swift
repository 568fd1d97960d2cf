import SinkKit

extension SinkManifest {
    /// A manifest with a value for every key.
    static let withEveryKey = SinkManifest(
        id: "x", version: "2.1", command: ["run", "é\n"],
        accepts: [.init(type: "*/*"), .init(type: "a/b", priority: -3)], role: .also,
        content: SinkManifest.ContentNeed.none,
        limits: .init(
            startupSeconds: 1, stallSeconds: 2, totalSeconds: 3, memoryMiB: 4, processorSeconds: 5, fileMiB: 6,
            processes: 7),
        needs: .init(network: true), config: ["type": "object"], secrets: ["a", "b"],
        idempotent: true)
}
