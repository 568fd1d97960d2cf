internal import Glibc

/// Read-only access to content by offset. It reads no more than a ``Budget`` allows, for any size and any structure.
///
/// It reads a window at each end on first use, and keeps both. It reads the part between in blocks, which it counts. An
/// instance must not be used by two threads at the same time.
package final class ContentBytes {
    /// The limits for reading one content.
    package struct Budget: Sendable, Hashable {
        /// The size of the window at the beginning, in bytes.
        package var head: Int
        /// The size of the window at the end, in bytes.
        package var tail: Int
        /// The number of reads outside the windows.
        package var blocks: Int
        /// The number of bytes that these reads may return together.
        package var blockBytes: Int

        /// The budget for identification.
        package static let standard = Budget(head: 64 << 10, tail: 64 << 10, blocks: 96, blockBytes: 256 << 10)
        /// The budget for content that the caller reads completely anyway.
        package static let unlimited = Budget(head: .max, tail: .max, blocks: .max, blockBytes: .max)

        /// A budget with the given limits.
        package init(head: Int, tail: Int, blocks: Int, blockBytes: Int) {
            self.head = head
            self.tail = tail
            self.blocks = blocks
            self.blockBytes = blockBytes
        }
    }

    /// The amount of reading.
    package struct Usage: Sendable, Hashable {
        /// The number of reads.
        package var reads = 0
        /// The number of bytes read.
        package var bytes = 0
    }

    private enum Storage {
        case memory([UInt8])
        case file(descriptor: Int32)
    }

    /// The size of the first part, in bytes. It holds most signatures.
    package static let startSize = 4 << 10

    /// The size of the content, in bytes.
    package let size: Int64
    /// The limits for reading.
    package let budget: Budget
    /// The amount of reading so far, including the windows.
    package private(set) var usage = Usage()
    /// Whether a read exceeded the budget. Such a read returns no bytes.
    package private(set) var isSpent = false

    private let storage: Storage
    private var first: [UInt8]?
    private var last: (offset: Int64, bytes: [UInt8])?
    /// The latest block and its offset. A second read of the same place costs nothing.
    private var block: (offset: Int64, bytes: [UInt8]) = (0, [])
    private var blocks = 0
    private var blockBytes = 0

    /// Content in memory. The budget applies to it as well, so that the same bytes give the same result from every
    /// source.
    package init(_ bytes: [UInt8], budget: Budget = .standard) {
        storage = .memory(bytes)
        size = Int64(bytes.count)
        self.budget = budget
    }

    /// The content of an open regular file. The caller keeps the file open and closes it. Reading does not change its
    /// position.
    package init(descriptor: Int32, size: Int64, budget: Budget = .standard) {
        storage = .file(descriptor: descriptor)
        self.size = size
        self.budget = budget
    }

    /// The first bytes: at least ``startSize``, or all if there are fewer. If the window at the beginning was read,
    /// these are all its bytes.
    ///
    /// - Throws: ``ReadFailure`` if the content cannot be read.
    package func start() throws -> [UInt8] { try first(atLeast: min(Self.startSize, budget.head)) }

    /// The window at the beginning.
    ///
    /// - Throws: ``ReadFailure`` if the content cannot be read.
    package func head() throws -> [UInt8] { try first(atLeast: budget.head) }

    /// The window at the end, and its offset.
    ///
    /// - Throws: ``ReadFailure`` if the content cannot be read.
    package func tail() throws -> (bytes: [UInt8], offset: Int64) {
        if size <= Int64(budget.head) { return (try head(), 0) }
        let offset = max(0, size - Int64(min(budget.tail, Int.max)))
        if let last { return (last.bytes, last.offset) }
        let bytes = try fetch(at: offset, count: Int(size - offset))
        last = (offset, bytes)
        return (bytes, offset)
    }

    /// At most `count` bytes from `offset`. The result is shorter at the end of the content, and empty beyond it or if
    /// the budget is spent.
    ///
    /// - Throws: ``ReadFailure`` if the content cannot be read.
    package func read(at offset: Int64, count: Int) throws -> [UInt8] {
        guard offset >= 0, offset < size, count > 0 else { return [] }
        let count = Int(min(Int64(count), size - offset))
        let end = offset + Int64(count)
        if end <= Int64(budget.head) {
            let bytes = try end <= Int64(Self.startSize) ? start() : head()
            return Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
        // The window at the end is used only if it was read before.
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
        // A short first read means that the content ended, so another read would return nothing.
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

    /// The system failed to read.
    package struct ReadFailure: Error, CustomStringConvertible {
        /// The `errno` of the system call.
        package var code: Int32

        /// The system's message for the `errno`.
        package var description: String { String(cString: strerror(code)) }
    }
}
