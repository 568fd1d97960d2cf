public import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// An open group container: the shared folder that owns all content. Any number of processes may open it at once.
public struct Container: Sendable {
    /// Where things lie in it.
    public let layout: ContainerLayout
    /// The bytes: immutable objects.
    public let objects: any ObjectStore
    /// The rows: packages and what they hold.
    public let catalog: any Catalog
    /// The deliveries that are still open.
    public let deliveries: any DeliveryQueue

    /// Opens the container at `root`, making one where there is nothing yet, and sweeps what dead writers left.
    ///
    /// - Throws: ``ContainerError`` where the folder is something else, of a newer format, or may not be used.
    public init(opening root: FilePath) throws {
        layout = ContainerLayout(root: root)
        try Self.check(layout)
        try Posix.makeFolders(root)
        try Posix.makeFolder(layout.run)
        let setup = try KernelLock(layout.run.appending("setup.lock"), .exclusive)
        try Self.makeFolders(layout)
        try Self.write(layout)
        let database = try CatalogDatabase(writing: layout.catalog)
        try StagingArea.sweep(layout.staging)
        _ = consume setup
        objects = LocalObjectStore(layout: layout)
        catalog = SQLiteCatalog(database: database)
        deliveries = SQLiteDeliveryQueue(database: database)
    }

    /// Held by whoever decides that content is a duplicate, until the rows that rest on it are committed.
    public func lockObjects(_ mode: KernelLock.Mode) throws -> KernelLock {
        try KernelLock(layout.run.appending("objects.lock"), mode)
    }

    /// Held by the one process that drives the sinks. Waits for another that does.
    public func lockDeliveries() throws -> KernelLock {
        try KernelLock(layout.run.appending("deliver.lock"), .exclusive)
    }

    private static func makeFolders(_ layout: ContainerLayout) throws {
        guard layout.root.withPlatformString({ chmod($0, 0o700) }) == 0 else {
            throw ContainerError(Errno(rawValue: errno), "closing to others", layout.root)
        }
        for folder in [layout.objects, layout.staging, layout.work] { try Posix.makeFolder(folder) }
    }
}

// The format file.
extension Container {
    private struct Format: Codable {
        var format = "sluice-container"
        var version = ContainerLayout.version
        var group = "group.sluice.default"
    }

    /// Refuses a folder that is no container, or a newer one.
    static func check(_ layout: ContainerLayout) throws {
        let root = layout.root
        guard Posix.exists(root) else { return }
        guard Posix.exists(layout.format) else {
            let isNew = try Posix.names(in: root).allSatisfy { $0.string == "run" }
            guard isNew else {
                throw ContainerError(
                    .notAContainer, "\(root) is not empty and no container; name a new or empty folder with --container"
                )
            }
            return
        }
        let file = try Posix.open(layout.format, O_RDONLY)
        defer { try? file.close() }
        let bytes = try [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        guard let format = try? JSONDecoder().decode(Format.self, from: Data(bytes)), format.format == Format().format
        else {
            throw ContainerError(.notAContainer, "\(layout.format) is not a container's; restore it from a backup")
        }
        guard format.version <= ContainerLayout.version else {
            throw ContainerError(
                .newerFormat,
                "\(root) has format \(format.version), and this program knows \(ContainerLayout.version); update it")
        }
    }

    private static func write(_ layout: ContainerLayout) throws {
        guard !Posix.exists(layout.format) else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let path = layout.run.appending("format.new")
        Posix.remove(path)
        let file = try Posix.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        try file.closeAfter {
            _ = try file.writeAll(try encoder.encode(Format()) + Data("\n".utf8))
            guard fsync(file.rawValue) == 0 else { throw ContainerError(Errno(rawValue: errno), "syncing", path) }
        }
        try Posix.move(path, to: layout.format)
    }
}

extension Container {
    /// A store of objects without a catalog, for work that keeps nothing.
    public static func scratch(_ root: FilePath) throws -> any ObjectStore {
        let layout = ContainerLayout(root: root)
        try Posix.makeFolders(layout.staging)
        try Posix.makeFolder(layout.objects)
        return LocalObjectStore(layout: layout)
    }
}
