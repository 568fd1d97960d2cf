import GRDB
import ShareModel
import SystemPackage

@testable import GroupContainer

/// What is wrong with a container, in words; nothing when it keeps its promises.
enum ContainerFindings {
    /// Looks at a container as a fault left it.
    ///
    /// - Parameter acknowledged: packages and deliveries of which somebody was told that they are in and done.
    static func losses(in root: FilePath, acknowledged: Set<String>) throws -> [String] {
        guard try SystemFileSystem().exists(root.appending("format")) else {
            return acknowledged.isEmpty ? [] : ["\(acknowledged.count) acknowledged, and there is no container"]
        }
        _ = try Container(opening: root)
        let database = try CatalogDatabase(reading: ContainerLayout(root: root).catalog)
        let kept = try database.read { database in
            try Set(
                String.fetchAll(
                    database, sql: "SELECT id FROM package UNION SELECT id FROM delivery WHERE outcome = 'delivered'"))
        }
        let lost = acknowledged.subtracting(kept).sorted().map { "\($0) was acknowledged and is lost" }
        return try lost + damages(in: root, database)
    }

    /// Rows without their object, and objects with other bytes than their row says.
    private static func damages(in root: FilePath, _ database: CatalogDatabase) throws -> [String] {
        let rows = try database.read { try Row.fetchAll($0, sql: "SELECT sha256, size FROM object") }
        return try rows.compactMap { row in
            let digest = try Digest(blob: row["sha256"])
            let path = ContainerLayout(root: root).object(digest)
            guard let bytes = try? Disk.bytes(path) else { return "a row names \(digest), and no file is there" }
            guard Digest(of: bytes) == digest, bytes.count == row["size"] else {
                return "\(digest) has other bytes than its row says"
            }
            return nil
        }
    }

    /// Brings all rows from the log into the catalog's file.
    static func empty(logOf root: FilePath) throws {
        let queue = try DatabaseQueue(path: ContainerLayout(root: root).catalog.string)
        try queue.inDatabase { _ = try $0.checkpoint(.truncate) }
        try queue.close()
    }

    /// What a container holds after a run that has just ended.
    static func state(of root: FilePath) async throws -> ContainerState {
        await settle(root)
        return try ContainerState(root)
    }

    /// Waits until the last writer's folder is given up: the thread that ends a run need not be the one that lets go.
    static func settle(_ root: FilePath) async {
        let disk = SystemFileSystem()
        let staging = ContainerLayout(root: root).staging
        while let names = try? disk.names(in: staging), names.contains(where: { isHeld(staging.appending($0)) }) {
            await Task.yield()
        }
    }

    /// A folder that is gone cannot be opened, and is held by nobody.
    private static func isHeld(_ folder: FilePath) -> Bool {
        do { return try KernelLock(folder: folder, SystemFileSystem()) == nil } catch { return false }
    }

    /// How a container differs from the undisturbed one; leftovers are a difference.
    static func differences(_ state: ContainerState, from expected: ContainerState) -> [String] {
        var differences = state.leftovers.map { "\($0) is left over" }
        if state.objects != expected.objects {
            differences.append("objects: \(Set(state.objects).symmetricDifference(expected.objects))")
        }
        if state.packages != expected.packages { differences.append("the packages are not the same") }
        for (receipt, expected) in zip(state.receipts, expected.receipts) where receipt != expected {
            differences.append("the receipt of \(receipt.id) is not the same: \(receipt) instead of \(expected)")
        }
        return differences
    }
}
