internal import Files
internal import SystemPackage

/// What is left free on the container's file system, so that a commit, and everybody else, has room.
public struct SpaceReserve: Sendable {
    /// So many bytes stay free. Looked at again and again, as others use the disk too: see ``SpaceAllowance``.
    public var bytes: Int64
    /// So many new files stay possible, where the file system counts them.
    public var files: UInt64

    /// What is kept where nobody says otherwise: room for a batch's rows, and for the system around it.
    public static let standard = SpaceReserve(bytes: 64 << 20, files: 1_000)
    /// Nothing is kept: writing goes on until the disk is full, and fails then.
    public static let none = SpaceReserve(bytes: 0, files: 0)

    /// A reserve of so many bytes and files.
    public init(bytes: Int64, files: UInt64) {
        self.bytes = bytes
        self.files = files
    }

    /// What may be added besides, before the disk is to be looked at again.
    func check(adding size: Int64, to folder: FilePath, _ fileSystem: any FileSystem) throws
        -> SpaceAllowance
    {
        guard let free = try fileSystem.freeSpace(at: folder) else { return SpaceAllowance() }
        let disk = folder.removingLastComponent().removingLastComponent()
        guard size <= free.total else {
            throw ContainerError(
                .tooLarge,
                "it has \(Self.text(size)), and all of the container's disk holds \(Self.text(free.total)); "
                    + "move the container to a larger one")
        }
        guard free.bytes &- size >= bytes else {
            throw ContainerError(
                .full,
                "\(Self.text(free.bytes)) are free at \(disk), and "
                    + "\(Self.text(size)) more would take the \(Self.text(bytes)) that are kept in reserve",
                remedy: .makeRoomOrLowerReserve)
        }
        guard free.files.map({ $0 >= files }) ?? true else {
            throw ContainerError(
                .full,
                "the file system at \(disk) has room for \(free.files ?? 0) more files; "
                    + "\(files) are kept in reserve", remedy: .makeRoomOrLowerReserve)
        }
        // Nobody knows how much of it a file of unknown size will take.
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

/// What one writer may stage before the disk is looked at again: a 64th of the reserve, and of what there is above it.
/// So each object is looked at where there is little, and all writers together take but a part of the reserve, also where
/// others have filled the disk meanwhile.
struct SpaceAllowance {
    private static let part: Int64 = 64

    private var bytes: Int64 = 0
    private var files: Int64 = 0

    /// Nothing: the disk is to be looked at.
    init() {}

    init(ofBytes bytes: Int64, files: UInt64) {
        self.bytes = bytes / Self.part
        self.files = Int64(clamping: files) / Self.part
    }

    /// Takes a file of so many bytes from it; whether there was as much. One of unknown size takes what no allowance has.
    mutating func take(_ size: Int64) -> Bool {
        guard size > 0, size <= bytes, files > 0 else { return false }
        bytes -= size
        files -= 1
        return true
    }
}
