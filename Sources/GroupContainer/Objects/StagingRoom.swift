internal import Files
internal import Synchronization
internal import SystemPackage

/// The room on the disk that one writer may still use. One thread at a time uses it.
///
/// The writer looks at the disk before each object that its allowance does not cover. An object that grows beyond the
/// size that was checked takes the rest from the allowance while it is written.
final class StagingRoom {
    private let folder: FilePath
    private let fileSystem: any FileSystem
    private let reserve: SpaceReserve
    private let making: SpaceInTheMaking
    private var allowance = SpaceAllowance()
    /// Whether less than ``SpaceReserve/scarceRoom`` was left at the latest look at the disk.
    private(set) var isScarce = false

    /// - Parameters:
    ///   - folder: the folder of the writer.
    ///   - making: the unfinished objects of all writers of the store.
    init(_ folder: FilePath, _ fileSystem: any FileSystem, reserve: SpaceReserve, _ making: SpaceInTheMaking) {
        self.folder = folder
        self.fileSystem = fileSystem
        self.reserve = reserve
        self.making = making
    }

    /// Takes room for a new object of `size` bytes; 0 if the size is unknown.
    ///
    /// - Throws: ``ContainerError`` with the code `full` or `tooLarge`; see ``SpaceReserve``.
    func begin(_ size: Int64) throws -> ObjectSpace {
        guard !allowance.takeFile(size) else { return ObjectSpace(promised: 0, of: making) }
        return try making.begin(promised: size) { try look(adding: size, holding: 0, $0) }
    }

    /// Takes room for `count` bytes more of an object that has `size` bytes.
    func grow(by count: Int64, from size: Int64) throws {
        guard !allowance.takeBytes(count) else { return }
        try making.check { try look(adding: count, holding: size, $0) }
    }

    /// The error for a write that failed although there was room at the latest look. Other programs have filled the disk,
    /// a quota is used up, or the file would become too large.
    ///
    /// - Returns: an error with the code `tooLarge` if the disk has room again without this and the other unfinished
    ///   objects, or if only this object is too large for a file.
    func failure(_ error: FileError) -> any Error {
        if error.code == .tooLarge { return ContainerError.tooLargeForAFile }
        guard error.code == .full, let free = try? fileSystem.freeSpace(at: folder), free.files != 0 else {
            return error
        }
        let least = making.check { SpaceReserve.leastRoom - $0.written }
        // The figures of a disk say nothing about a quota. No byte of that is left.
        guard (error.isQuota ? 0 : free.bytes - reserve.bytes) >= least else { return error }
        return ContainerError(.tooLarge, error.message, remedy: .makeRoomOrLowerReserve)
    }

    private func look(adding size: Int64, holding held: Int64, _ making: SpaceInTheMaking.Bytes) throws {
        // After a refusal, the next object is checked again.
        allowance = SpaceAllowance()
        isScarce = false
        // If the file system reports no figures, every object is accepted and the next one is checked again.
        guard var free = try fileSystem.freeSpace(at: folder) else { return }
        free.bytes -= making.promised
        isScarce = free.bytes - reserve.bytes < SpaceReserve.scarceRoom
        allowance = try reserve.check(
            adding: size, holding: held, making: making.promised &+ making.written, free, folder)
    }
}

/// The bytes of the unfinished objects of all writers of one store.
///
/// Two large objects that are written at once must not both count on the same free space.
final class SpaceInTheMaking: Sendable {
    struct Bytes {
        /// The bytes that were checked and are not written yet.
        var promised: Int64 = 0
        /// The bytes that are written, and that a discarded object gives back.
        var written: Int64 = 0
    }

    private let bytes = Mutex(Bytes())

    /// Adds an object with room for `size` bytes, if the check succeeds.
    fileprivate func begin(promised size: Int64, _ check: (Bytes) throws -> Void) rethrows -> ObjectSpace {
        try bytes.withLock { bytes in
            try check(bytes)
            // A file system without figures accepts any two sizes, and their sum may wrap around. No check reads it then.
            bytes.promised &+= size
        }
        return ObjectSpace(promised: size, of: self)
    }

    fileprivate func check<Value: Sendable>(_ check: (Bytes) throws -> Value) rethrows -> Value {
        try bytes.withLock { try check($0) }
    }

    fileprivate func add(promised: Int64, written: Int64) {
        bytes.withLock { bytes in
            bytes.promised &+= promised
            bytes.written &+= written
        }
    }
}

/// The room of one unfinished object. It counts until the value dies.
final class ObjectSpace {
    /// The bytes that were checked for this object and are not written yet.
    private var promised: Int64
    private var written: Int64 = 0
    private let making: SpaceInTheMaking

    fileprivate init(promised: Int64, of making: SpaceInTheMaking) {
        self.promised = promised
        self.making = making
    }

    /// Counts bytes that the object wrote.
    func use(_ count: Int64) {
        let kept = min(count, promised)
        promised -= kept
        written += count
        making.add(promised: -kept, written: count)
    }

    deinit { making.add(promised: -promised, written: -written) }
}
