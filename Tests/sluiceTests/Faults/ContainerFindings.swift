import SQLite
import ShareModel
import SystemPackage

@testable import Files
@testable import GroupContainer

/// The faults of a container, in words; empty if it keeps its promises.
enum ContainerFindings {
    /// Checks a container as a fault left it.
    ///
    /// - Parameter acknowledged: packages and deliveries that the program reported as durable.
    static func losses(in root: FilePath, acknowledged: Set<String>) throws -> [String] {
        guard try SystemFileSystem().exists(root.appending("format")) else {
            return acknowledged.isEmpty
                ? [] : ["\(acknowledged.count) packages or deliveries were acknowledged, and there is no container"]
        }
        _ = try Container.open(at: root)
        let database = try CatalogDatabase(reading: ContainerLayout(root: root).catalog, SystemFileSystem())
        let kept = try database.read { database in
            try Set(
                String.fetchAll(
                    database, sql: "SELECT id FROM package UNION SELECT id FROM delivery WHERE outcome = 'delivered'"))
        }
        let lost = acknowledged.subtracting(kept).sorted().map { "\($0) was acknowledged and is lost" }
        return try lost + damages(in: root, database)
    }

    /// Rows without an object, and objects whose bytes do not match their row.
    private static func damages(in root: FilePath, _ database: CatalogDatabase) throws -> [String] {
        let rows = try database.read { try Row.fetchAll($0, sql: "SELECT sha256, size FROM object") }
        return try rows.compactMap { row in
            let digest = try Digest(blob: row.value("sha256"))
            let path = ContainerLayout(root: root).object(digest)
            guard let bytes = try? Disk.bytes(path) else { return "a row names \(digest), and no file is there" }
            guard Digest(of: bytes) == digest, try bytes.count == row.value("size") else {
                return "\(digest) has other bytes than its row states"
            }
            return nil
        }
    }

    /// Moves all rows from the log into the catalog's file.
    static func empty(logOf root: FilePath) throws {
        let queue = try DatabaseQueue(path: ContainerLayout(root: root).catalog.string)
        try queue.writeWithoutTransaction { try $0.truncateLog() }
    }

    /// The state of a container right after a run.
    static func state(of root: FilePath) async throws -> ContainerState {
        await settle(root)
        return try ContainerState(root)
    }

    /// Waits until the last writer's folder is unlocked. Another thread than the one that ends a run may unlock it.
    static func settle(_ root: FilePath) async {
        let disk = SystemFileSystem()
        let staging = ContainerLayout(root: root).staging
        while let names = try? disk.names(in: staging), names.contains(where: { isHeld(staging.appending($0)) }) {
            await Task.yield()
        }
    }

    /// Whether a writer holds the folder. A removed folder cannot be opened, and is not held.
    private static func isHeld(_ folder: FilePath) -> Bool {
        do { return try KernelLock(folder: folder, SystemFileSystem()) == nil } catch { return false }
    }

    /// The differences of a container from the undisturbed one; leftovers are differences.
    static func differences(_ state: ContainerState, from expected: ContainerState) -> [String] {
        var differences = state.leftovers.map { "\($0) is left over" }
        if state.objects != expected.objects {
            differences.append("objects: \(Set(state.objects).symmetricDifference(expected.objects))")
        }
        if state.library != expected.library {
            differences.append("the library has \(state.library.keys.sorted()), not \(expected.library.keys.sorted())")
        }
        if state.packages != expected.packages { differences.append("the packages are not the same") }
        for (receipt, expected) in zip(state.receipts, expected.receipts) where receipt != expected {
            differences.append("the receipt of \(receipt.id) is not the same: \(receipt) instead of \(expected)")
        }
        return differences
    }
}
