internal import Glibc
package import ShareModel
package import SystemPackage

/// The status of an open file.
package struct OpenFileStatus {
    package let kind: Directory.EntryKind
    package let stamp: SourceStamp
    /// Whether no block of the file is on a disk. The size of such a file may be wrong, as in `/proc`.
    package let isVirtual: Bool

    package init(of descriptor: FileDescriptor) throws(Errno) {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        kind = Directory.EntryKind(mode: status.st_mode)
        stamp = SourceStamp(status)
        isVirtual = status.st_blocks == 0
    }
}
