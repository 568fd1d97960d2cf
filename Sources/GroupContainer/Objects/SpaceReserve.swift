internal import Files
internal import SystemPackage

/// The space that writers leave free on the container's file system, for the rows of a commit and for other programs.
public struct SpaceReserve: Sendable {
    /// The number of bytes that stay free. Writers check it repeatedly, because other programs use the disk too; see
    /// ``SpaceAllowance``.
    public var bytes: Int64
    /// The number of files that can still be made, if the file system counts them.
    public var files: UInt64

    /// The default: room for the rows of a batch, and for other programs.
    public static let standard = SpaceReserve(bytes: 64 << 20, files: 1_000)
    /// No reserve: a write fails only when the disk is full.
    public static let none = SpaceReserve(bytes: 0, files: 0)

    /// Makes a reserve.
    public init(bytes: Int64, files: UInt64) {
        self.bytes = bytes
        self.files = files
    }

    /// Checks that a file leaves the reserve free.
    ///
    /// - Parameter size: the size of the new file in bytes; 0 or less if it is unknown.
    /// - Returns: what the writer may stage in addition before the next check; nothing if the size is unknown.
    /// - Throws: ``ContainerError`` with code `tooLarge` if the disk can never hold the file, or `full`.
    func check(adding size: Int64, to folder: FilePath, _ fileSystem: any FileSystem) throws
        -> SpaceAllowance
    {
        // If the file system reports no figures, every file is accepted and the next one is checked again.
        guard let free = try fileSystem.freeSpace(at: folder) else { return SpaceAllowance() }
        var disk: FilePath { folder.removingLastComponent().removingLastComponent() }
        guard size <= free.total else {
            throw ContainerError(
                .tooLarge,
                "it has \(Self.text(size)), and the container's whole disk holds \(Self.text(free.total)); "
                    + "move the container to a larger one")
        }
        guard free.bytes &- size >= bytes else {
            throw ContainerError(
                .full,
                "\(Self.text(free.bytes)) are free at \(disk), and "
                    + "\(Self.text(size)) more would use the reserve of \(Self.text(bytes))",
                remedy: .makeRoomOrLowerReserve)
        }
        guard free.files.map({ $0 >= files }) ?? true else {
            throw ContainerError(
                .full,
                "the file system at \(disk) has room for \(free.files ?? 0) more files; "
                    + "the reserve is \(files)", remedy: .makeRoomOrLowerReserve)
        }
        // A file of unknown size may use up any allowance, so the next file is checked again.
        guard size > 0 else { return SpaceAllowance() }
        return SpaceAllowance(
            ofBytes: min(free.bytes - size - bytes, bytes), files: min((free.files ?? .max) - files, files))
    }

    private static func text(_ bytes: Int64) -> String {
        switch bytes {
        case ..<(10 << 10): "\(bytes) bytes"
        case ..<(10 << 20): "\(bytes >> 10) KiB"
        case ..<(10 << 30): "\(bytes >> 20) MiB"
        default: "\(bytes >> 30) GiB"
        }
    }
}

/// The content that one writer may stage before it checks the disk again: a 64th of the reserve, or of the free space
/// above the reserve if that is less.
///
/// If little is free, the writer checks before each object. If other programs fill the disk meanwhile, all writers
/// together still use only a part of the reserve.
struct SpaceAllowance {
    private static let part: Int64 = 64

    private var bytes: Int64 = 0
    private var files: Int64 = 0

    /// No allowance: the next file needs a check.
    init() {}

    init(ofBytes bytes: Int64, files: UInt64) {
        self.bytes = bytes / Self.part
        self.files = Int64(clamping: files) / Self.part
    }

    /// Subtracts a file of `size` bytes.
    ///
    /// - Returns: whether the allowance covered it; never for a file of unknown size.
    mutating func take(_ size: Int64) -> Bool {
        guard size > 0, size <= bytes, files > 0 else { return false }
        bytes -= size
        files -= 1
        return true
    }
}
