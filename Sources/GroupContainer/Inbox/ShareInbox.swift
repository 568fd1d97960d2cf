package import Files
package import ShareModel
package import SystemPackage

/// The shares that came in while the container could not take them, because it has to be migrated first.
///
/// Each is a folder `inbox/NAME.share` in the form of share packages, with a file `arrival.json` beside the description. No format
/// of a container changes this form, and no lock is held for it, so a share needs no migrated container, and no migration waits for
/// a share. See <doc:ContainerFormat>.
package struct ShareInbox: Sendable {
    private let layout: ContainerLayout
    private let fileSystem: any FileSystem

    package init(_ layout: ContainerLayout, _ fileSystem: any FileSystem) {
        self.layout = layout
        self.fileSystem = fileSystem
    }

    /// The folders of the shares, the oldest first.
    package func shares() throws -> [FilePath] {
        guard try fileSystem.status(of: layout.inbox)?.kind == .folder else { return [] }
        return try fileSystem.names(in: layout.inbox).filter { $0.extension == Self.ending }
            .map { layout.inbox.appending($0) }.filter { try fileSystem.status(of: $0)?.kind == .folder }
            .sorted { $0.string < $1.string }
    }

    /// Removes what dead writers have left.
    package func sweep() throws {
        guard try fileSystem.status(of: layout.inboxParts)?.kind == .folder else { return }
        try WriterFolder.sweep(layout.inboxParts, fileSystem)
    }

    /// Begins a share.
    ///
    /// - Parameter reserve: the space that it leaves free on the disk.
    package func begin(reserve: SpaceReserve) throws -> InboxWriter {
        for folder in [layout.inbox, layout.inboxParts] { try fileSystem.ensureFolder(folder) }
        try sweep()
        return InboxWriter(
            layout, fileSystem,
            try LocalStagingArea(in: layout.inboxParts, fileSystem, reserve: reserve, syncsFiles: true))
    }

    /// Takes the lock of a share, for as long as the result lives; `nil` if another process has it, or has removed the share.
    package func lock(_ share: FilePath) throws -> KernelLock? {
        do {
            guard try fileSystem.status(of: share)?.kind == .folder else { return nil }
            let lock = try KernelLock(folder: share, fileSystem)
            // The process that had the lock may have removed the share.
            return try fileSystem.exists(share) ? lock : nil
        } catch {
            guard try fileSystem.exists(share) else { return nil }
            throw error
        }
    }

    /// Removes a share that the container has. After a crash in the middle, all of it is there, or the next writer removes it.
    package func remove(_ share: FilePath) throws {
        try fileSystem.ensureFolder(layout.inboxParts)
        let part = layout.inboxParts.appending("taken-\(UniqueName.make())")
        try fileSystem.move(share, to: part)
        fileSystem.removeTree(part)
    }

    fileprivate static let ending = "share"
}

/// A share that is being written into the inbox. Without ``finish(_:at:)`` nothing of it stays.
package final class InboxWriter {
    private let layout: ContainerLayout
    private let fileSystem: any FileSystem
    private let files: LocalStagingArea
    private var folders: Set<FilePath> = []

    fileprivate init(_ layout: ContainerLayout, _ fileSystem: any FileSystem, _ files: LocalStagingArea) {
        (self.layout, self.fileSystem, self.files) = (layout, fileSystem, files)
    }

    /// Where its files are written. Each is durable when it is finished.
    package var area: any StagingArea { files }

    /// Gives a file its place.
    ///
    /// - Parameters:
    ///   - folder: the name of its folder in the share; `nil` for the share's own.
    ///   - modified: its time of modification; `nil` for now.
    package func place(
        _ object: StagedObject, in folder: String?, named name: String, modified: Timestamp? = nil
    ) throws {
        guard let file = object.place as? LocalStagedFile else {
            throw ContainerError(.system, "a file of \(layout.inbox) was staged elsewhere")
        }
        if let failure = file.failure { throw failure }
        var target = files.path
        if let folder {
            target.append(folder)
            try fileSystem.ensureFolder(target)
            folders.insert(target)
        }
        if let modified {
            fileSystem.setModified(modified, of: file.path)
            let descriptor = try fileSystem.open(file.path, .readOnly, .noFollow)
            try descriptor.closeAfter { try fileSystem.sync(descriptor, file.path) }
        }
        target.append(name)
        try fileSystem.move(file.path, to: target)
    }

    /// Makes the share durable, under a name that sorts by time.
    ///
    /// - Parameters:
    ///   - descriptions: the small files that describe it, by their names.
    ///   - time: in milliseconds since 1970.
    /// - Returns: its folder.
    package func finish(_ descriptions: [(name: String, bytes: [UInt8])], at time: Int64) throws -> FilePath {
        for (name, bytes) in descriptions {
            let object = try bytes.withUnsafeBytes { try files.stage($0, digest: Digest(of: $0)) }
            try place(object, in: nil, named: name)
        }
        for folder in folders { try fileSystem.syncFolder(folder) }
        try fileSystem.syncFolder(files.path)
        let share = layout.inbox.appending("\(max(0, time).padded(to: 16))-\(UniqueName.make()).\(ShareInbox.ending)")
        try fileSystem.move(files.path, to: share)
        do {
            try fileSystem.syncFolder(layout.inbox)
            // The folder may be new.
            try fileSystem.syncFolder(layout.root)
        } catch {
            // It was not acknowledged, so the person shares it again. As a part it is removed even after a crash.
            try? fileSystem.move(share, to: files.path)
            throw error
        }
        return share
    }
}

extension ContainerLayout {
    /// The shares that wait for a migration: `inbox/NAME.share`.
    package var inbox: FilePath { root.appending("inbox") }
    /// The shares that are being written, or removed.
    var inboxParts: FilePath { inbox.appending("parts") }
}
