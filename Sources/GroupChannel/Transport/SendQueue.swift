internal import SystemPackage

/// The lines that the kernel has not taken yet. Not safe for threads by itself.
struct SendQueue {
    private struct Entry {
        var bytes: ArraySlice<UInt8>
        /// Owned. They travel with the first byte.
        var descriptors: [FileDescriptor]
    }

    private var entries: [Entry] = []
    /// The place of the first entry that is left.
    private var first = 0
    /// The bytes that are left.
    private(set) var bytes = 0
    /// When the kernel last took bytes, while there were more.
    private(set) var lastProgress = ContinuousClock.now

    var isEmpty: Bool { first == entries.count }

    /// Adds a line. The descriptors are duplicated, so the caller's stay its own.
    mutating func append(_ line: [UInt8], _ descriptors: [FileDescriptor]) throws(ChannelError) {
        if isEmpty { lastProgress = .now }
        entries.append(Entry(bytes: line[...], descriptors: try Self.duplicates(of: descriptors)))
        bytes += line.count
    }

    /// Hands lines to the kernel until it takes no more.
    ///
    /// - Returns: `false` if the other side has ended.
    mutating func flush(into socket: Socket) -> Bool {
        while first < entries.count {
            guard let sent = socket.send(entries[first].bytes, entries[first].descriptors) else { return false }
            guard sent > 0 else { break }
            bytes -= sent
            lastProgress = .now
            Self.close(entries[first].descriptors)
            entries[first].descriptors = []
            entries[first].bytes = entries[first].bytes.dropFirst(sent)
            if entries[first].bytes.isEmpty { first += 1 }
        }
        // The sent lines are removed all at once, so that each costs the same.
        if isEmpty || first > 1_000 {
            entries.removeFirst(first)
            first = 0
        }
        return true
    }

    mutating func removeAll() {
        for entry in entries[first...] { Self.close(entry.descriptors) }
        (entries, first, bytes) = ([], 0, 0)
    }

    private static func duplicates(of descriptors: [FileDescriptor]) throws(ChannelError) -> [FileDescriptor] {
        var copies: [FileDescriptor] = []
        do throws(ChannelError) {
            for descriptor in descriptors { copies.append(try descriptor.duplicated()) }
        } catch {
            close(copies)
            throw error
        }
        return copies
    }

    private static func close(_ descriptors: [FileDescriptor]) {
        for descriptor in descriptors { try? descriptor.close() }
    }
}
