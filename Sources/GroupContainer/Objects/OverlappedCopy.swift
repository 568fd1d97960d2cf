internal import Dispatch
internal import Files
internal import ShareModel
internal import Synchronization
internal import SystemPackage

/// One large copy, by the system where it can, hashed by a second thread as the staged bytes appear.
struct OverlappedCopy {
    /// How much the system copies at once, in bytes: so far the hash may lag behind, and so soon a cancellation is seen.
    private static let piece = 4 << 20
    /// How much is read at once, in bytes; it stays in the processor's cache.
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

    /// Copies from the source's position to its end; the digest of what was staged. See ``StagingFile/take(_:after:read:_:)``.
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
            // Also when copying fails: the thread must have ended before the descriptor is closed.
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

    /// Ends where the system says that there is no more, or that it cannot: reading tells which.
    private func copyBySystem(_ body: (Int) throws -> Void) throws {
        while let count = try fileSystem.copy(Self.piece, from: source, to: target.descriptor, target.path), count > 0 {
            try advance(by: count, body)
        }
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
        try fileSystem.writeAll(bytes, to: target.descriptor, target.path)
        try advance(by: bytes.count, body)
    }

    private func advance(by count: Int, _ body: (Int) throws -> Void) throws {
        fileSystem.beginWriting(target.descriptor, offset: target.size, count: Int64(count))
        target.grow(by: count)
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

/// What the hashing thread found, for the one that copied.
private final class Outcome: Sendable {
    private let result = Mutex<Result<Digest, any Error>?>(nil)

    func set(_ value: Result<Digest, any Error>) { result.withLock { $0 = value } }

    func get() throws -> Digest {
        guard let result = result.withLock({ $0 }) else { preconditionFailure("the hash has not ended") }
        return try result.get()
    }
}

/// How far a file is staged: told by the thread that copies, awaited by the one that hashes.
private final class Staged: Sendable {
    private let state = Mutex<(size: Int64, isWhole: Bool)>((0, false))
    /// Counts up from nothing, as one that is freed below its first value traps.
    private let news = DispatchSemaphore(value: 0)

    func grow(to size: Int64) {
        state.withLock { $0.size = size }
        news.signal()
    }

    func end() {
        state.withLock { $0.isWhole = true }
        news.signal()
    }

    /// Waits until there is more than `offset`; `nil` at the end.
    func next(after offset: Int64) -> Int64? {
        while true {
            let (size, isWhole) = state.withLock { $0 }
            if size > offset { return size }
            if isWhole { return nil }
            news.wait()
        }
    }
}
