internal import Files
package import ShareModel
internal import SystemPackage

/// One writer's own folder in the container for unfinished writes.
package final class LocalStagingArea: StagingArea {
    private let folder: WriterFolder
    private let spares: SpareFiles
    private let fileSystem: any FileSystem
    private let room: StagingRoom
    private let syncsFiles: Bool
    private var count = 0
    /// Whether the user's mask takes a part of an object's mode away from new files; `nil` before the first file.
    private var isMasked: Bool?

    /// - Parameter syncsFiles: whether each object is durable when it is finished, but for its name.
    init(
        in parent: FilePath, _ fileSystem: any FileSystem, reserve: SpaceReserve,
        _ making: SpaceInTheMaking = SpaceInTheMaking(), syncsFiles: Bool = false
    ) throws {
        self.fileSystem = fileSystem
        self.syncsFiles = syncsFiles
        spares = SpareFiles(fileSystem)
        folder = try WriterFolder(in: parent, fileSystem)
        room = StagingRoom(folder.path, fileSystem, reserve: reserve, making)
    }

    /// The folder of the unfinished files.
    var path: FilePath { folder.path }

    package var isNearlyFull: Bool { room.isScarce }

    package func makeFile(expecting size: Int64) throws -> any StagingFile { try makeLocalFile(expecting: size) }

    private func makeLocalFile(expecting size: Int64) throws -> LocalStagingFile {
        let space = try room.begin(size)
        if let spare = spares.take() {
            return try LocalStagingFile(spare, [], spares, fileSystem, room, space, checked: size, syncs: syncsFiles)
        }
        count += 1
        let path = folder.path.appending(String(count))
        let file = try LocalStagingFile(
            path, [.create, .exclusiveCreate], spares, fileSystem, room, space, checked: size, syncs: syncsFiles)
        file.mode = .masked
        if try !masksNewFiles(path) { file.mode = .object }
        return file
    }

    /// Finds out what the user's mask does to new files. A process cannot read its mask without changing it, so the mode of
    /// its first file tells.
    private func masksNewFiles(_ path: FilePath) throws -> Bool {
        if let isMasked { return isMasked }
        let isMasked = try fileSystem.status(of: path)?.permissions != .object
        self.isMasked = isMasked
        return isMasked
    }

    package func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws -> StagedObject {
        let file = try makeLocalFile(expecting: Int64(bytes.count))
        try file.write(bytes)
        return file.finish(digest)
    }
}
