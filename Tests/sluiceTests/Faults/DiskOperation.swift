/// One thing that a run did to the disk, in the order in which it was done.
///
/// Files are told apart by number, since they are renamed. Names are paths below the disk's folder: the container's own,
/// so that they are plain text.
enum DiskOperation: Sendable {
    case create(file: Int, String)
    case write(file: Int, offset: Int, [UInt8])
    case truncate(file: Int, size: Int)
    case move(file: Int, from: String, to: String)
    /// A file or an empty folder.
    case remove(String)
    case makeFolder(String)
    case syncFile(Int)
    case syncFolder(String)
    case syncAll
    /// Nothing on the disk: somebody was told something.
    case acknowledge(Acknowledgment)
}
