internal import Dispatch
internal import Files
internal import ShareModel
internal import Synchronization
internal import SystemPackage

/// One large copy, made by the kernel if it can, while a second thread hashes the staged bytes close behind.
///
/// The thread reads the staged file, not the source, so the hashed bytes are the stored bytes even if the source
/// changes during the copy.
struct OverlappedCopy {
    /// The bytes that the kernel copies at once. The hash lags behind by at most one piece, and a cancellation takes
    /// effect after at most one.
    private static let piece = 4 << 20
    /// The bytes that are read at once: few enough to stay in the processor's cache.
    private static let block = 256 << 10

    private let source: FileDescriptor
    private let target: LocalStagingFile
    private let fileSystem: any FileSystem
    private let staged = Staged()

    init(from source: FileDescriptor, to target: LocalStagingFile, _ fileSystem: any FileSystem) {
        self.source = source
        self.target = target
        self.fileSystem = fileSystem
    }

    /// Copies from the source's position to its end; see ``StagingFile/take(_:after:read:_:)``.
    ///
    /// - Returns: the digest of the staged bytes.
    func run(
        _ first: UnsafeRawBufferPointer, _ read: (UnsafeMutableRawBufferPointer) throws -> Int,
        _ body: (Int) throws -> Void
    ) throws -> Digest {
        let hash = DispatchQueue(label: "sluice.hash")
        let (staged, file, path, fileSystem) = (staged, target.descriptor, target.path, fileSystem)
        let outcome = Outcome()
        hash.async {
            outcome.set(Result { try Self.digest(of: file, path, as: staged, fileSystem) })
        }
        do {
            // Even if copying fails, the hashing thread must end before the caller closes the descriptor.
            defer {
                staged.end()
                hash.sync {}
            }
            try append(first, body)
            try copyBySystem(body)
            try copyByReading(read, body)
        }
        return try outcome.get()
    }

    /// Copies the bytes that have room, until the kernel reports the end or cannot copy further. The caller then reads
    /// the source, which shows which of them it was.
    private func copyBySystem(_ body: (Int) throws -> Void) throws {
        while let count = try target.copy(atMost: Self.piece, from: source), count > 0 { try advance(by: count, body) }
    }

    private func copyByReading(
        _ read: (UnsafeMutableRawBufferPointer) throws -> Int, _ body: (Int) throws -> Void
    ) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.block, alignment: 4096)
        defer { buffer.deallocate() }
        while case let count = try read(buffer), count > 0 {
            try append(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), body)
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer, _ body: (Int) throws -> Void) throws {
        guard !bytes.isEmpty else { return }
        try target.write(bytes)
        try advance(by: bytes.count, body)
    }

    private func advance(by count: Int, _ body: (Int) throws -> Void) throws {
        // Starting to write back now leaves less for the batch's sync to wait for.
        fileSystem.beginWriting(target.descriptor, offset: target.size - Int64(count), count: Int64(count))
        staged.grow(to: target.size)
        try body(count)
    }

    private static func digest(
        of file: FileDescriptor, _ path: FilePath, as staged: Staged, _ fileSystem: any FileSystem
    ) throws -> Digest {
        let hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: block, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while let end = staged.next(after: offset) {
            while offset < end {
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(min(Int64(block), end - offset))))
                let count = try fileSystem.read(file, path, at: offset, into: part)
                guard count > 0 else { throw ContainerError(.system, "\(path) shrank while it was hashed; run again") }
                hasher.update(UnsafeRawBufferPointer(rebasing: part.prefix(count)))
                offset += Int64(count)
            }
        }
        return hasher.finish()
    }
}

/// The digest or the error of the hashing thread, for the copying thread.
private final class Outcome: Sendable {
    private let result = Mutex<Result<Digest, any Error>?>(nil)

    func set(_ value: Result<Digest, any Error>) { result.withLock { $0 = value } }

    func get() throws -> Digest {
        guard let result = result.withLock({ $0 }) else { preconditionFailure("the hash has not ended") }
        return try result.get()
    }
}

/// How many bytes of a file are staged. The copying thread reports it, and the hashing thread waits for it.
private final class Staged: Sendable {
    private let state = Mutex<(size: Int64, isWhole: Bool)>((0, false))
    /// Starts at 0, because a semaphore that is freed while it is below its first value traps.
    private let news = DispatchSemaphore(value: 0)

    func grow(to size: Int64) {
        state.withLock { $0.size = size }
        news.signal()
    }

    func end() {
        state.withLock { $0.isWhole = true }
        news.signal()
    }

    /// Waits until more than `offset` bytes are staged, and returns their number; `nil` at the end.
    func next(after offset: Int64) -> Int64? {
        while true {
            let (size, isWhole) = state.withLock { $0 }
            if size > offset { return size }
            if isWhole { return nil }
            news.wait()
        }
    }
}
