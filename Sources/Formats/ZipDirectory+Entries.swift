extension ZipDirectory {
    private static let entrySize = 46
    private static let localSize = 30
    /// The largest number of local headers that are read.
    private static let localLimit = 1_024
    /// The number of attempts to find a complete entry in the end of a directory.
    private static let resyncLimit = 16

    /// Adds consecutive entries in ``names``, and returns the end of the last.
    @discardableResult
    mutating func addEntries(from start: Int, shift: Int64) -> Int {
        var place = start
        while names.has(Self.entrySignature, at: place), names.count - place >= Self.entrySize,
            let nameLength = names.little(place + 28, 2), let extraLength = names.little(place + 30, 2),
            let commentLength = names.little(place + 32, 2)
        {
            let nameEnd = place + Self.entrySize + nameLength
            guard nameEnd <= names.count else { break }
            var entry = Entry(
                name: fold(place + Self.entrySize..<nameEnd), method: names.little(place + 10, 2) ?? 0,
                isEncrypted: names[place + 8] & 1 != 0, compressedSize: names.little(place + 20, 4) ?? 0,
                headerOffset: Int64(names.little(place + 42, 4) ?? 0))
            widen(&entry, at: place, extra: nameEnd..<min(nameEnd + extraLength, names.count))
            let (offset, overflow) = entry.headerOffset.addingReportingOverflow(shift)
            entry.headerOffset = overflow ? .max : offset
            entries.append(entry)
            place = nameEnd + extraLength + commentLength
        }
        return place
    }

    /// Reads sizes and offsets of more than four bytes: APPNOTE 4.5.3.
    private func widen(_ entry: inout Entry, at place: Int, extra: Range<Int>) {
        let isWide = { (offset: Int) in names.little(place + offset, 4) == 0xFFFF_FFFF }
        guard isWide(20) || isWide(42) else { return }
        var field = extra.lowerBound
        while field + 4 <= extra.upperBound, let length = names.little(field + 2, 2) {
            guard names.little(field, 2) == 1 else {
                field += 4 + length
                continue
            }
            // The field holds only the numbers that do not fit into four bytes, in this order.
            var next = field + 4 + (isWide(24) ? 8 : 0)
            if isWide(20) {
                entry.compressedSize = names.little(next, 8) ?? 0
                next += 8
            }
            if isWide(42) { entry.headerOffset = Int64(names.little(next, 8) ?? 0) }
            return
        }
    }

    /// Adds the entries at the end of a directory whose middle is not read. They start at the first place from which
    /// consecutive entries reach the end.
    mutating func addLastEntries(_ bytes: [UInt8], shift: Int64) {
        let start = names.count
        let known = entries.count
        names += bytes
        var from = start
        for _ in 0..<Self.resyncLimit {
            // The signature can occur by coincidence. Entries count only if they lead exactly to the end.
            guard let place = ByteSearch.first(Self.entrySignature, in: names[from...]) else { return }
            if addEntries(from: place, shift: shift) == names.count { return }
            entries.removeSubrange(known...)
            from = place + 1
        }
    }

    /// The offset of the first local header: 0, or 4 after the marker of a multi-volume archive (APPNOTE 8.5.4).
    static func localStart(_ start: [UInt8]) -> Int? {
        if start.has(localSignature, at: 0) { return 0 }
        let isMarked = start.has([0x50, 0x4B, 0x30, 0x30], at: 0) || start.has([0x50, 0x4B, 7, 8], at: 0)
        return isMarked && start.has(localSignature, at: 4) ? 4 : nil
    }

    /// Adds the entries with local headers in ``names``, which is the beginning of the content.
    mutating func addLocalEntries(from start: Int) {
        var place = start
        while entries.count < Self.localLimit, names.has(Self.localSignature, at: place),
            let nameLength = names.little(place + 26, 2), let extraLength = names.little(place + 28, 2)
        {
            let nameEnd = place + Self.localSize + nameLength
            guard nameEnd <= names.count, let size = names.little(place + 18, 4) else { return }
            let flags = names[place + 6]
            entries.append(
                Entry(
                    name: fold(place + Self.localSize..<nameEnd), method: names.little(place + 8, 2) ?? 0,
                    isEncrypted: flags & 1 != 0, compressedSize: size, headerOffset: Int64(place)))
            let dataStart = nameEnd + extraLength
            let isStreamed = flags & 8 != 0 && size == 0
            let next = isStreamed ? nextHeader(from: dataStart) : dataStart + size
            if isStreamed { entries[entries.count - 1].compressedSize = max(0, next - dataStart) }
            place = next
        }
    }

    /// The next header after data whose size comes after it; the end if there is none.
    ///
    /// An archive inside the data has headers too, but no descriptor with the right size (APPNOTE 4.3.9) before them.
    private func nextHeader(from dataStart: Int) -> Int {
        var from = dataStart
        while from < names.count, let place = ByteSearch.first(Self.localSignature, in: names[from...]) {
            let (short, long) = (place - 12 - dataStart, place - 20 - dataStart)
            // The descriptor may have a signature, and its sizes have four or eight bytes.
            let sizes = [(short, 8, 4), (short - 4, 8, 4), (long, 16, 8), (long - 4, 16, 8)]
            if sizes.contains(where: { $0.0 >= 0 && names.little(place - $0.1, $0.2) == $0.0 }) { return place }
            from = place + 1
        }
        return names.count
    }

    /// Normalizes a name for comparison, and skips `./` and slashes that some programs write before it.
    private mutating func fold(_ range: Range<Int>) -> Range<Int> {
        for place in range {
            switch names[place] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): names[place] |= 0x20
            case UInt8(ascii: "\\"): names[place] = UInt8(ascii: "/")
            default: continue
            }
        }
        var start = range.lowerBound
        if range.count > 2, names[start] == UInt8(ascii: "."), names[start + 1] == UInt8(ascii: "/") { start += 2 }
        while start < range.upperBound - 1, names[start] == UInt8(ascii: "/") { start += 1 }
        return start..<range.upperBound
    }
}
