import Glibc
import SinkTools

/// A regular file with a document. The class owns its descriptor.
final class DocumentFile {
    let path: String
    let size: Int
    private let descriptor: Int32

    /// The part of a file that is searched for the mark of an encrypted package, in bytes.
    private static let searched = 64 << 20

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

    /// Whether an OLE file contains an encrypted package ([MS-OFFCRYPTO] 2.3.1): the name stands in its directory.
    func isEncryptedPackage() throws -> Bool {
        let all = try bytes(Self.searched)
        // The entries of the directory begin at multiples of 128.
        let name = "EncryptedPackage".utf8.flatMap { [$0, 0] as [UInt8] }
        return stride(from: 512, to: all.count, by: 128).contains { all[$0...].starts(with: name) }
    }
}
