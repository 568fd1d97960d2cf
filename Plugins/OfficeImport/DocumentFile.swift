import Glibc
import SinkTools

/// A regular file with a document. The class owns its descriptor.
final class DocumentFile {
    let path: String
    let size: Int
    private let descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        descriptor = try openRegularFile(path)
        var status = stat()
        size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    deinit {
        close(descriptor)
    }

    /// The bytes at the beginning of the file, at most `most`.
    func bytes(_ most: Int) throws -> [UInt8] {
        lseek(descriptor, 0, SEEK_SET)
        return try readBytes(of: descriptor, limit: most).bytes
    }
}
