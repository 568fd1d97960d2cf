import Formats
import Foundation

/// A large file with a few written ranges. It needs little space, and reads as zeros elsewhere.
struct SparseFile {
    var size: Int64
    private var stretches: [Int64: [UInt8]] = [:]

    init(size: Int64) { self.size = size }

    subscript(_ offset: Int64) -> [UInt8] {
        get { stretches[offset] ?? [] }
        set { stretches[offset] = newValue }
    }

    /// Makes the file, passes it to the body with the standard budget, and removes it.
    func read(_ body: (ContentBytes) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sparse-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        unlink(path)
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw POSIXError(.EIO) }
        for (offset, bytes) in stretches {
            guard pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
                throw POSIXError(.EIO)
            }
        }
        try body(ContentBytes(descriptor: descriptor, size: size))
    }
}
