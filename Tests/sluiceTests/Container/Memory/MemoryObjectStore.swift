// The README's package `app` compiles this file from outside of the package too: public API only, and no test.
import GroupContainer
import ShareModel
import Synchronization
import SystemPackage

/// An object store in memory. Staged and opened objects are files in a folder of the caller's.
///
/// The caller brings the SHA-256, because the package has no public one.
final class MemoryObjectStore: ObjectStore {
    private struct State {
        var objects: [Digest: [UInt8]] = [:]
        var files = 0
    }

    private let folder: FilePath
    fileprivate let digest: @Sendable ([UInt8]) -> Digest
    private let state = Mutex(State())

    init(folder: FilePath, digest: @escaping @Sendable ([UInt8]) -> Digest) {
        self.folder = folder
        self.digest = digest
    }

    /// A new file that holds these bytes.
    fileprivate func makeFile(_ bytes: [UInt8] = []) throws -> FileDescriptor {
        let number = state.withLock { state in
            state.files += 1
            return state.files
        }
        let file = try FileDescriptor.open(
            folder.appending("\(number)"), .readWrite, options: [.create, .exclusiveCreate],
            permissions: .ownerReadWrite)
        try file.writeAll(bytes)
        try file.seek(offset: 0, from: .start)
        return file
    }

    func makeStagingArea() throws -> any StagingArea { MemoryStagingArea(store: self) }

    func commit(_ staged: [StagedObject], vouched: (Set<Digest>) throws -> Set<Digest>) throws {
        let taken = state.withLock { state in Set(staged.map(\.digest)).filter { state.objects[$0] != nil } }
        let known = try taken.isEmpty ? [] : vouched(taken)
        for object in staged {
            if object.place is StoredPlace {
                guard
                    try known.contains(object.digest) && size(object.digest) == object.size
                        || staged.contains(where: { $0.digest == object.digest && $0.place is MemoryPlace })
                else { throw ContainerError(.system, "the object \(object.digest) is gone; run again") }
                continue
            }
            guard let place = object.place as? MemoryPlace else {
                throw ContainerError(.system, "staged by another store")
            }
            state.withLock { state in
                if !known.contains(object.digest) { state.objects[object.digest] = place.bytes }
            }
        }
    }

    func open(_ digest: Digest) throws -> FileDescriptor {
        guard let bytes = state.withLock({ $0.objects[digest] }) else {
            throw ContainerError(.notFound, "the object \(digest) is missing")
        }
        return try makeFile(bytes)
    }

    /// Cuts an object short, as a crash may.
    func tear(_ digest: Digest) { state.withLock { state in _ = state.objects[digest]?.popLast() } }

    func size(_ digest: Digest) throws -> Int64? { state.withLock { ($0.objects[digest]?.count).map(Int64.init) } }
}

private struct MemoryPlace: StagedPlace {
    let bytes: [UInt8]
    func discard() {}
}

private final class MemoryStagingArea: StagingArea {
    private let store: MemoryObjectStore

    init(store: MemoryObjectStore) { self.store = store }

    func makeFile(expecting size: Int64) throws -> any StagingFile { try MemoryStagingFile(store: store) }

    func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws -> StagedObject {
        StagedObject(digest: digest, size: Int64(bytes.count), place: MemoryPlace(bytes: Array(bytes)))
    }
}

private final class MemoryStagingFile: StagingFile {
    let descriptor: FileDescriptor
    private let store: MemoryObjectStore
    private var bytes: [UInt8] = []
    var size: Int64 { Int64(bytes.count) }

    init(store: MemoryObjectStore) throws {
        self.store = store
        descriptor = try store.makeFile()
    }

    deinit { try? descriptor.close() }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try descriptor.writeAll(bytes)
        self.bytes += bytes
    }

    func finish() -> StagedObject {
        StagedObject(digest: store.digest(bytes), size: size, place: MemoryPlace(bytes: bytes))
    }

    func take(
        _ source: FileDescriptor, after first: UnsafeRawBufferPointer,
        read: (UnsafeMutableRawBufferPointer) throws -> Int, _ body: (Int) throws -> Void
    ) throws -> StagedObject {
        try append(first)
        try body(first.count)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try read(buffer), count > 0 {
            try append(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
            try body(count)
        }
        return finish()
    }
}
