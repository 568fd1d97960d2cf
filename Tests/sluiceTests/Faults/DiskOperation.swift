/// One operation of a run on the disk. The record keeps their order.
///
/// Files are identified by number, because a rename changes their names. Names are relative to the disk's folder. They
/// are strings, because the container's own names are ASCII.
enum DiskOperation: Sendable {
    case create(file: Int, String)
    /// A symbolic link, which counts as a file without bytes.
    case link(file: Int, String, to: String)
    case write(file: Int, offset: Int, [UInt8])
    case truncate(file: Int, size: Int)
    case move(file: Int, from: String, to: String)
    /// With all that is in it.
    case moveFolder(from: String, to: String)
    /// A file or an empty folder.
    case remove(String)
    case makeFolder(String)
    case syncFile(Int)
    case syncFolder(String)
    case syncAll
    /// No operation on the disk: the program reported a package or a delivery.
    case acknowledge(Acknowledgment)
}
