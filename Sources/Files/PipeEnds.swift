internal import CFileSystem
internal import Glibc
package import SystemPackage

/// A pipe whose ends no started program inherits, even if another thread starts one at the same moment. The owner closes it.
package struct PipeEnds: Sendable {
    package let readEnd: FileDescriptor
    package let writeEnd: FileDescriptor

    package init() throws(Errno) {
        var ends: (Int32, Int32) = (-1, -1)
        guard cfilesystem_pipe(&ends.0, &ends.1) == 0 else { throw Errno(rawValue: errno) }
        readEnd = FileDescriptor(rawValue: ends.0)
        writeEnd = FileDescriptor(rawValue: ends.1)
    }

    package func close() {
        try? readEnd.close()
        try? writeEnd.close()
    }
}
