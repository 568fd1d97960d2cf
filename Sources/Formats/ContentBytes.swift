#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Content to look into: read-only, by offset, and no more of it than a ``Budget`` allows, whatever its size and
/// whatever its structure says.
///
/// Windows at both ends are read when they are first asked for and then kept; everything between is read in blocks that
/// are counted. Not for two threads at once.
public final class ContentBytes {
    /// What may be read of one content.
    public struct Budget: Sendable, Hashable {
        /// The window at the beginning, in bytes.
        public var head: Int
        /// The window at the end, in bytes.
        public var tail: Int
        /// How many reads there may be beside the windows.
        public var blocks: Int
        /// What they may come to, in bytes.
        public var blockBytes: Int

        /// What identification may read.
        public static let standard = Budget(head: 64 << 10, tail: 64 << 10, blocks: 96, blockBytes: 256 << 10)
        /// For content that is read whole anyway.
        public static let unlimited = Budget(head: .max, tail: .max, blocks: .max, blockBytes: .max)

        /// A budget of one's own.
        public init(head: Int, tail: Int, blocks: Int, blockBytes: Int) {
            self.head = head
            self.tail = tail
            self.blocks = blocks
            self.blockBytes = blockBytes
        }
    }

    /// What was read.
    public struct Usage: Sendable, Hashable {
        /// How often the content was read.
        public var reads = 0
        /// How many bytes that gave.
        public var bytes = 0
    }

    private enum Storage {
        case memory([UInt8])
        case file(descriptor: Int32)
    }

    /// The first bytes, which most signatures lie in.
    public static let startSize = 4 << 10

    /// In bytes.
    public let size: Int64
    /// What may be read.
    public let budget: Budget
    /// What was read so far, the windows included.
    public private(set) var usage = Usage()
    /// Whether something was asked for that the budget did not allow; it came back empty.
    public private(set) var isSpent = false

    private let storage: Storage
    private var first: [UInt8]?
    private var last: (offset: Int64, bytes: [UInt8])?
    /// The block that was read last, and where it begins: whoever looks at the same place again costs nothing.
    private var block: (offset: Int64, bytes: [UInt8]) = (0, [])
    private var blocks = 0
    private var blockBytes = 0

    /// Takes bytes that are in memory already. The budget holds for them too, so that the same bytes are the same thing
    /// however they come.
    public init(_ bytes: [UInt8], budget: Budget = .standard) {
        storage = .memory(bytes)
        size = Int64(bytes.count)
        self.budget = budget
    }

    /// Takes an open regular file, which the caller keeps open and closes. Its position is not moved.
    public init(descriptor: Int32, size: Int64, budget: Budget = .standard) {
        storage = .file(descriptor: descriptor)
        self.size = size
        self.budget = budget
    }

    /// The first bytes: at least ``startSize``, or all where there are fewer. Nothing more is read for it.
    ///
    /// - Throws: ``ReadFailure`` when the content cannot be read.
    public func start() throws -> [UInt8] { try first(atLeast: min(Self.startSize, budget.head)) }

    /// The window at the beginning.
    ///
    /// - Throws: ``ReadFailure`` when the content cannot be read.
    public func head() throws -> [UInt8] { try first(atLeast: budget.head) }

    /// The window at the end, and where it begins.
    ///
    /// - Throws: ``ReadFailure`` when the content cannot be read.
    public func tail() throws -> (bytes: [UInt8], offset: Int64) {
        if size <= Int64(budget.head) { return (try head(), 0) }
        let offset = max(0, size - Int64(min(budget.tail, Int.max)))
        if let last { return (last.bytes, last.offset) }
        let bytes = try fetch(at: offset, count: Int(size - offset))
        last = (offset, bytes)
        return (bytes, offset)
    }

    /// At most `count` bytes from `offset`; fewer at the end, none beyond it, and none where the budget is spent.
    ///
    /// - Throws: ``ReadFailure`` when the content cannot be read.
    public func read(at offset: Int64, count: Int) throws -> [UInt8] {
        guard offset >= 0, offset < size, count > 0 else { return [] }
        let count = Int(min(Int64(count), size - offset))
        let end = offset + Int64(count)
        if end <= Int64(budget.head) {
            let bytes = try end <= Int64(Self.startSize) ? start() : head()
            return Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
        if let last, offset >= last.offset {
            return Array(last.bytes.dropFirst(Int(offset - last.offset)).prefix(count))
        }
        if offset >= block.offset, end <= block.offset + Int64(block.bytes.count) {
            return Array(block.bytes.dropFirst(Int(offset - block.offset)).prefix(count))
        }
        guard blocks < budget.blocks, count <= budget.blockBytes - blockBytes else {
            isSpent = true
            return []
        }
        blocks += 1
        blockBytes += count
        block = (offset, try fetch(at: offset, count: count))
        return block.bytes
    }

    private func first(atLeast count: Int) throws -> [UInt8] {
        let wanted = Int(min(Int64(count), size))
        if case .memory(let all) = storage, all.count <= budget.head {
            if first == nil { tally(all.count) }
            first = all
            return all
        }
        let known = first ?? []
        if known.count >= wanted || (first != nil && known.count < Self.startSize) { return known }
        let bytes = try known + fetch(at: Int64(known.count), count: wanted - known.count)
        first = bytes
        return bytes
    }

    private func fetch(at offset: Int64, count: Int) throws -> [UInt8] {
        let bytes: [UInt8]
        switch storage {
        case .memory(let all): bytes = Array(all[Int(offset)..<min(Int(offset) + count, all.count)])
        case .file(let descriptor): bytes = try Self.read(descriptor, at: offset, count: count)
        }
        tally(bytes.count)
        return bytes
    }

    private func tally(_ bytes: Int) {
        usage.reads += 1
        usage.bytes += bytes
    }

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
