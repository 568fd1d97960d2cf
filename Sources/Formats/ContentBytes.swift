#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Content to look into: read-only, by offset, bounded by whoever reads.
public struct ContentBytes {
    private enum Storage {
        case memory([UInt8])
        case file(descriptor: Int32)
    }

    private let storage: Storage
    /// In bytes.
    public let size: Int64

    /// Takes bytes that are in memory already.
    public init(_ bytes: [UInt8]) {
        storage = .memory(bytes)
        size = Int64(bytes.count)
    }

    /// Takes an open regular file, which the caller keeps open and closes. Its position is not moved.
    public init(descriptor: Int32, size: Int64) {
        storage = .file(descriptor: descriptor)
        self.size = size
    }

    /// At most `count` bytes from `offset`; fewer at the end, none beyond it.
    ///
    /// - Throws: ``ReadFailure`` when the file cannot be read.
    public func read(at offset: Int64, count: Int) throws -> [UInt8] {
        guard offset >= 0, offset < size, count > 0 else { return [] }
        let count = Int(min(Int64(count), size - offset))
        switch storage {
        case .memory(let bytes):
            return Array(bytes[Int(offset)..<Int(offset) + count])
        case .file(let descriptor):
            return try Self.read(descriptor, at: offset, count: count)
        }
    }

    /// The first `count` bytes, or all where there are fewer.
    public func head(_ count: Int) throws -> [UInt8] { try read(at: 0, count: count) }

    private static func read(_ descriptor: Int32, at offset: Int64, count: Int) throws -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + filled)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else { throw ReadFailure(code: failure) }
        return bytes
    }

    /// A read that the system refused.
    public struct ReadFailure: Error, CustomStringConvertible {
        /// The `errno` of the system call.
        public var code: Int32

        /// The system's words for the `errno`.
        public var description: String { String(cString: strerror(code)) }
    }
}
