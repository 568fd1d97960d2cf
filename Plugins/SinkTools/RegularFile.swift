internal import Glibc
internal import SinkKit

/// Opens the regular file at `path` for reading. The caller owns the descriptor.
///
/// - Throws: `SinkFailure` if the file cannot be opened, which says nothing about the content in it.
public func openRegularFile(_ path: String) throws -> Int32 {
    // O_NONBLOCK: opening a FIFO would otherwise block until a writer comes.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
        throw SinkFailure(.transient, "the content cannot be opened: \(reason(errno))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw SinkFailure(.permanent, "the content is not a regular file")
    }
    return descriptor
}

/// The bytes of a descriptor from its position on, at most `limit` of them, and whether the file has more.
///
/// - Throws: `SinkFailure` if reading fails.
public func readBytes(of descriptor: Int32, limit: Int) throws -> (bytes: [UInt8], isCut: Bool) {
    var status = stat()
    let expected = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    // One byte more than the limit shows whether the file has more.
    var bytes = [UInt8](repeating: 0, count: min(limit, max(expected, 0)) + 1)
    var count = 0
    while count < bytes.count {
        let got = bytes.withUnsafeMutableBytes {
            read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
        }
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw SinkFailure(.transient, "the content cannot be read: \(reason(errno))") }
        if got == 0 { break }
        count += got
    }
    let isCut = count > min(limit, expected)
    bytes.removeLast(bytes.count - min(count, limit))
    return (bytes, isCut)
}

/// The system's words for an error number.
public func reason(_ number: Int32) -> String {
    String(cString: strerror(number))
}
