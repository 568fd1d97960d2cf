import Files
// Not `@testable`, because another module must be able to write such engines.
import GroupContainer
import ShareModel
import Synchronization
import SystemPackage
import Testing

/// An object store in memory. Staged and opened objects are files in a folder of the test.
final class MemoryObjectStore: ObjectStore {
    private struct State {
        var objects: [Digest: [UInt8]] = [:]
        var files = 0
    }

    private let folder: FilePath
    private let state = Mutex(State())

    init(folder: FilePath) { self.folder = folder }

    /// A file without a name that has these bytes.
    fileprivate func makeFile(_ bytes: [UInt8] = []) throws -> FileDescriptor {
        let number = state.withLock { state in
            state.files += 1
            return state.files
        }
        let path = folder.appending("\(number)")
        let fileSystem = SystemFileSystem.system
        let file = try fileSystem.open(path, .readWrite, [.create, .exclusiveCreate], mode: .ownerReadWrite)
        try fileSystem.remove(path, isFolder: false)
        try file.writeAll(bytes)
        try file.seek(offset: 0, from: .start)
        return file
    }

    func makeStagingArea() throws -> any StagingArea { MemoryStagingArea(store: self) }

    func commit(_ staged: [StagedObject], vouched: (Set<Digest>) throws -> Set<Digest>) throws {
        let taken = state.withLock { state in Set(staged.map(\.digest)).filter { state.objects[$0] != nil } }
        let known = try taken.isEmpty ? [] : vouched(taken)
        for object in staged {
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

    func size(_ digest: Digest) throws -> Int64? { state.withLock { ($0.objects[digest]?.count).map(Int64.init) } }
}

private struct MemoryPlace: StagedPlace {
    let bytes: [UInt8]
    func discard() {}
}

private final class MemoryStagingArea: StagingArea {
    private let store: MemoryObjectStore

    init(store: MemoryObjectStore) { self.store = store }

    func makeFile(expecting size: Int64) throws -> any StagingFile { MemoryStagingFile(try store.makeFile()) }

    func stage(_ bytes: UnsafeRawBufferPointer, digest: Digest) throws -> StagedObject {
        StagedObject(digest: digest, size: Int64(bytes.count), place: MemoryPlace(bytes: Array(bytes)))
    }
}

private final class MemoryStagingFile: StagingFile {
    let descriptor: FileDescriptor
    private var bytes: [UInt8] = []
    var size: Int64 { Int64(bytes.count) }

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { try? descriptor.close() }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try descriptor.writeAll(bytes)
        self.bytes += bytes
    }

    func finish() -> StagedObject {
        StagedObject(digest: Digest(of: bytes), size: size, place: MemoryPlace(bytes: bytes))
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

/// A delivery queue in memory, for one process.
final class MemoryDeliveryQueue: DeliveryQueue {
    private struct Item {
        var claimed: ClaimedDelivery
        var owner: ClaimOwner?
        var record: DeliveryRecord
        var isUnanswered = false
    }

    private let items = Mutex<[Item]>([])

    /// Opens a delivery of a package.
    func add(_ id: String, package: String, sink: String) {
        items.withLock { items in
            let claimed = ClaimedDelivery(
                seq: Int64(items.count + 1), id: id, key: "\(sink) \(id)", sink: sink, lead: 0, attempt: 0,
                payload: "content", package: 1, fence: 0, receiptText: package)
            items.append(Item(claimed: claimed, record: DeliveryRecord(id: id, sink: sink, outcome: .pending)))
        }
    }

    func record(_ id: String) -> DeliveryRecord? {
        items.withLock { items in items.first { $0.claimed.id == id }?.record }
    }

    func openSinks(of packages: [String], now: Int64) throws -> Set<String> {
        items.withLock { items in
            Set(
                items.filter {
                    packages.contains($0.claimed.receiptText) && $0.record.outcome == .pending && $0.claimed.due <= now
                }.map(\.claimed.sink))
        }
    }

    func newest() throws -> Int64 { items.withLock { Int64($0.count) } }

    func claim(sink: String, owner: ClaimOwner, now: Int64, limit: Int) throws -> [ClaimedDelivery] {
        items.withLock { items in
            let open = items.indices.filter {
                items[$0].claimed.sink == sink && items[$0].record.outcome == .pending && items[$0].claimed.due <= now
            }
            let order = open.sorted { (items[$0].claimed.due, $0) < (items[$1].claimed.due, $1) }
            return order.prefix(limit).map { place in
                items[place].claimed.isUncertain = items[place].isUnanswered
                items[place].isUnanswered = true
                items[place].claimed.attempt += 1
                items[place].claimed.fence += 1
                items[place].owner = owner
                return items[place].claimed
            }
        }
    }

    /// The place of a delivery whose claim holds.
    private static func place(_ items: [Item], _ seq: Int64, _ id: String, _ fence: Int64) -> Int? {
        items.firstIndex {
            $0.claimed.seq == seq && $0.claimed.id == id && $0.claimed.fence == fence && $0.owner != nil
        }
    }

    func attemptAgain(_ deliveries: [ClaimedDelivery]) throws -> [ClaimedDelivery] {
        items.withLock { items in
            deliveries.compactMap { delivery in
                guard let place = Self.place(items, delivery.seq, delivery.id, delivery.fence) else { return nil }
                items[place].claimed.attempt = delivery.attempt + 1
                items[place].claimed.deaths = delivery.deaths
                items[place].claimed.isUncertain = true
                return items[place].claimed
            }
        }
    }

    func putBack(_ deliveries: [ClaimedDelivery]) throws {
        items.withLock { items in
            for delivery in deliveries {
                guard let place = Self.place(items, delivery.seq, delivery.id, delivery.fence) else { continue }
                items[place].claimed.attempt = delivery.attempt - 1
                items[place].isUnanswered = delivery.isUncertain
                items[place].owner = nil
            }
        }
    }

    func complete(_ endings: [DeliveryEnding]) throws -> [DeliveryCompletion] {
        items.withLock { items in
            endings.map { ending in
                guard items.contains(where: { $0.claimed.seq == ending.seq && $0.claimed.id == ending.record.id })
                else {
                    return .gone
                }
                guard let place = Self.place(items, ending.seq, ending.record.id, ending.fence) else { return .stale }
                items[place].record = ending.record
                items[place].claimed.deaths = ending.deaths
                items[place].claimed.failures = ending.failures
                items[place].claimed.due = ending.due
                items[place].isUnanswered = false
                items[place].owner = nil
                return .recorded
            }
        }
    }

    func record(_ number: Int64) throws -> DeliveryRecord? {
        items.withLock { items in items.first { $0.claimed.seq == number }?.record }
    }

    func hurry() throws { items.withLock { for place in $0.indices { $0[place].claimed.due = 0 } } }

    func open() throws -> [OpenDeliveries] {
        items.withLock { items in
            let open = Dictionary(grouping: items.filter { $0.record.outcome == .pending }, by: \.claimed.sink)
            return open.sorted { $0.key < $1.key }.compactMap { sink, items in
                guard let next = items.min(by: { $0.claimed.due < $1.claimed.due }) else { return nil }
                return OpenDeliveries(sink: sink, count: items.count, due: next.claimed.due, why: next.record.why)
            }
        }
    }

    func reopen(_ names: [String]) throws {
        try items.withLock { items in
            for name in names {
                let bad: Set<DeliveryOutcome> = [.failed, .quarantined]
                let ofSink = items.indices.filter {
                    items[$0].claimed.sink == name && bad.contains(items[$0].record.outcome)
                }
                let named = items.indices.filter {
                    !name.isEmpty && items[$0].claimed.id.hasPrefix(name)
                        && bad.union([.declined]).contains(items[$0].record.outcome)
                        && items[$0].claimed.id == name
                }
                guard let places = [ofSink, named].first(where: { !$0.isEmpty }) else {
                    throw ContainerError(.notFound, "nothing of \(name) failed")
                }
                for place in places {
                    items[place].record.outcome = .pending
                    items[place].record.why = nil
                    items[place].claimed.deaths = 0
                    items[place].claimed.failures = 0
                    items[place].claimed.due = 0
                    items[place].owner = nil
                }
            }
        }
    }
}

/// Engines outside of the container's module keep its contracts.
@Suite struct MemoryEngineTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func theStoreKeepsTheContract() throws {
        let store = MemoryObjectStore(folder: folder.path)
        try checkObjectStore(store)
        let source = try FileDescriptor.open(folder.write("source", "taken in two pieces"), .readOnly)
        try source.closeAfter { try checkTaking(store, from: source, bytes: Array("taken in two pieces".utf8)) }
    }

    @Test func theQueueKeepsTheContract() throws {
        let queue = MemoryDeliveryQueue()
        try checkDeliveryQueue(queue) {
            for (id, package, sink) in [
                ("a1-s", "a1", "s"), ("a1-t", "a1", "t"), ("a2-s", "a2", "s"), ("a3-s", "a3", "s"),
            ] { queue.add(id, package: package, sink: sink) }
        } record: {
            queue.record($0)
        }
    }

    /// A container with other engines takes a package in, and stores its content in the other store.
    @Test func aContainerTakesOtherEngines() throws {
        let local = try Container.open(at: folder["container"])
        let objects = MemoryObjectStore(folder: folder.path)
        let queue = MemoryDeliveryQueue()
        let container = try Container.open(at: folder["container"]) { local in
            var engines = local
            (engines.objects, engines.deliveries) = (objects, queue)
            return engines
        }
        let area = try container.objects.makeStagingArea()
        try container.withLock(.objects, .shared) {
            try container.store([area.stage(Array("one".utf8))])
            #expect(
                try container.catalog.commit([.accepted("a1", ["one"], path: "/in/1")]).map(\.outcome) == [.accepted])
        }
        #expect(try objects.size(Digest(of: "one")) == 3)
        #expect(try local.objects.size(Digest(of: "one")) == nil)
        for id in ["a1-s", "a2-s", "a3-s"] { queue.add(id, package: String(id.prefix(2)), sink: "s") }
        queue.add("a1-t", package: "a1", sink: "t")
        try checkRests(container)
    }
}
