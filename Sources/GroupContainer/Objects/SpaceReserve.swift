internal import Files
internal import ShareModel
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

    /// The room above the reserve, in bytes, below which the disk counts as full. With more room, an object that is too
    /// large for it fails alone.
    static let leastRoom: Int64 = 1 << 20
    /// The room above the reserve, in bytes, below which room is scarce; see ``StagingArea/isNearlyFull``.
    static let scarceRoom: Int64 = 1 << 30

    /// Makes a reserve.
    public init(bytes: Int64, files: UInt64) {
        self.bytes = bytes
        self.files = files
    }

    /// Checks that an object leaves the reserve free.
    ///
    /// - Parameters:
    ///   - size: the number of bytes to add; 0 for a new object of unknown size.
    ///   - held: the bytes that the object has already. It must be able to double them, so that an object of unknown
    ///     size leaves room for the others.
    ///   - making: the bytes of this and all other unfinished objects, which may still be discarded.
    ///   - free: the free space, without the bytes that unfinished objects will still use.
    /// - Returns: what the writer may stage in addition before the next check.
    /// - Throws: ``ContainerError`` with the code `full` if the disk counts as full, or `tooLarge`.
    func check(adding size: Int64, holding held: Int64, making: Int64, _ free: FreeSpace, _ folder: FilePath)
        throws(ContainerError) -> SpaceAllowance
    {
        let disk = folder.removingLastComponent().removingLastComponent()
        guard free.files.map({ $0 >= files }) ?? true else {
            throw ContainerError(
                .full,
                "the file system at \(disk) is full up to the reserve of \(files) files",
                remedy: .makeRoomOrLowerReserve)
        }
        let room = free.bytes - bytes
        let (wanted, isHuge) = size.addingReportingOverflow(held)
        guard isHuge || wanted > room else {
            return SpaceAllowance(
                ofBytes: min(room - wanted, bytes), files: min((free.files ?? .max) - files, files))
        }
        let known = held > 0 ? "it has more than \(Self.text(held))" : "it has \(Self.text(size))"
        guard !isHuge, wanted <= free.total else {
            throw ContainerError(
                .tooLarge,
                "\(known), and the container's whole disk holds \(Self.text(free.total)); "
                    + "move the container to a larger one")
        }
        guard room < Self.leastRoom - making else {
            throw ContainerError(
                .tooLarge,
                "\(known), and \(Self.text(free.bytes)) are free at \(disk)"
                    + (bytes > 0 ? ", with a reserve of \(Self.text(bytes))" : ""), remedy: remedy)
        }
        // Without figures that differ: all content has this reason now, and a run prints it once.
        throw ContainerError(
            .full,
            "the file system at \(disk) is full" + (bytes > 0 ? " up to the reserve of \(Self.text(bytes))" : ""),
            remedy: remedy)
    }

    /// Only a reserve can be lowered.
    private var remedy: Remedy { bytes > 0 ? .makeRoomOrLowerReserve : .makeRoom }

    private static func text(_ bytes: Int64) -> String {
        switch max(bytes, 0) {
        case ..<(10 << 10): "\(max(bytes, 0)) bytes"
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

    /// Subtracts a new file of `size` bytes.
    ///
    /// - Returns: whether the allowance covered it; never for a file of unknown size.
    mutating func takeFile(_ size: Int64) -> Bool {
        guard size > 0, files > 0, takeBytes(size) else { return false }
        files -= 1
        return true
    }

    /// Subtracts bytes that a file needs besides those that were checked.
    ///
    /// - Returns: whether the allowance covered them.
    mutating func takeBytes(_ count: Int64) -> Bool {
        guard count <= bytes else { return false }
        bytes -= count
        return true
    }
}
