/// Reads binary property lists, version `bplist00`.
///
/// The file has a signature, objects, a table of their offsets, and a trailer of 32 bytes. The trailer has the sizes of
/// offsets and references, the number of objects, the index of the top object, and the offset of the table. All numbers
/// are big-endian.
struct BinaryPropertyListReader {
    static let signature = Array("bplist00".utf8)
    private static let trailerSize: Int64 = 32

    private let content: ContentBytes
    private let limits: PropertyList.Limits
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: UInt64
    private let top: UInt64
    private let tableOffset: Int64
    private var objects = 0
    private var expandedBytes = 0
    /// The containers around the current object, outermost first. An object that contains itself would recurse forever.
    private var path: [UInt64] = []

    init(_ content: ContentBytes, limits: PropertyList.Limits) throws {
        guard content.size >= 8 + Self.trailerSize, try content.start().starts(with: Self.signature) else {
            throw PropertyList.Failure(reason: .notOne, offset: 0)
        }
        let start = content.size - Self.trailerSize
        let trailer = try content.read(at: start, count: Int(Self.trailerSize))
        guard trailer.count == 32 else { throw Self.malformed(start) }
        self.content = content
        self.limits = limits
        offsetSize = Int(trailer[6])
        referenceSize = Int(trailer[7])
        objectCount = Self.number(trailer[8..<16])
        top = Self.number(trailer[16..<24])
        let table = Self.number(trailer[24..<32])
        // The whole table of offsets must lie before the trailer, so that lookups in it cannot overflow.
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), table >= 8, table < UInt64(start),
            top < objectCount, objectCount <= (UInt64(start) - table) / UInt64(offsetSize)
        else { throw Self.malformed(start) }
        tableOffset = Int64(table)
    }

    mutating func root() throws -> PropertyList { try object(top) }

    /// The keys of the top dictionary, without its values; `nil` if the top object is not a dictionary.
    mutating func topKeys() throws -> [String]? {
        let (marker, offset) = try marker(of: top)
        guard marker >> 4 == 0xD else { return nil }
        let (count, start) = try length(marker, at: offset)
        return try references(count, at: start).map { try key($0) }
    }

    // MARK: Objects

    private mutating func object(_ index: UInt64) throws -> PropertyList {
        let (marker, offset) = try marker(of: index)
        objects += 1
        guard objects <= limits.objects else { throw failure(.tooMany, offset) }
        switch marker >> 4 {
        case 0x0 where marker == 0x08 || marker == 0x09: return .boolean(marker == 0x09)
        case 0x1: return .integer(try integer(marker, at: offset))
        case 0x2: return .real(try real(marker, at: offset))
        case 0x3 where marker == 0x33: return .date(try real(marker, at: offset))
        case 0x4: return .data(try payload(marker, width: 1, at: offset))
        case 0x5, 0x6, 0x7: return .string(try string(marker, at: offset))
        case 0x8: return .uid(Self.number(try bytes(at: offset + 1, count: Int(min(marker & 15, 7)) + 1)[...]))
        case 0xA, 0xB, 0xC, 0xD: return try container(marker, index: index, at: offset)
        default: throw Self.malformed(offset)
        }
    }

    private mutating func container(_ marker: UInt8, index: UInt64, at offset: Int64) throws -> PropertyList {
        guard !path.contains(index) else { throw failure(.cyclic, offset) }
        guard path.count < limits.depth else { throw failure(.tooDeep, offset) }
        path.append(index)
        defer { path.removeLast() }
        let (count, start) = try length(marker, at: offset)
        guard marker >> 4 == 0xD else {
            return .array(try references(count, at: start).map { try object($0) })
        }
        let keys = try references(count, at: start)
        let values = try references(count, at: start + Int64(count * referenceSize))
        var entries: [PropertyList.Entry] = []
        for (key, value) in zip(keys, values) {
            entries.append(.init(key: try self.key(key), value: try object(value)))
        }
        return .dictionary(entries)
    }

    private mutating func key(_ index: UInt64) throws -> String {
        let (marker, offset) = try marker(of: index)
        objects += 1
        guard objects <= limits.objects else { throw failure(.tooMany, offset) }
        guard (0x5...0x7).contains(marker >> 4) else { throw Self.malformed(offset) }
        return try string(marker, at: offset)
    }

    private mutating func string(_ marker: UInt8, at offset: Int64) throws -> String {
        let isWide = marker >> 4 == 0x6
        let bytes = try payload(marker, width: isWide ? 2 : 1, at: offset)
        guard isWide else { return String(decoding: bytes, as: UTF8.self) }
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { place -> UInt16 in
            UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }

    private func integer(_ marker: UInt8, at offset: Int64) throws -> Int128 {
        guard marker & 15 <= 4 else { throw Self.malformed(offset) }
        let bytes = try bytes(at: offset + 1, count: 1 << Int(marker & 15))
        // Numbers of one, two and four bytes are unsigned; those of eight and sixteen are signed.
        let isNegative = bytes.count >= 8 && bytes[0] & 0x80 != 0
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int128($1) }
    }

    private func real(_ marker: UInt8, at offset: Int64) throws -> Double {
        switch marker & 15 {
        case 2: Double(Float(bitPattern: UInt32(Self.number(try bytes(at: offset + 1, count: 4)[...]))))
        case 3: Double(bitPattern: Self.number(try bytes(at: offset + 1, count: 8)[...]))
        default: throw Self.malformed(offset)
        }
    }

    // MARK: Bytes

    /// The marker byte of an object, and its offset.
    private func marker(of index: UInt64) throws -> (UInt8, Int64) {
        guard index < objectCount else { throw Self.malformed(tableOffset) }
        // This cannot overflow, because the initializer checked that the whole table lies inside the content.
        let entry = tableOffset + Int64(index) * Int64(offsetSize)
        let offset = Self.number(try bytes(at: entry, count: offsetSize)[...])
        // Objects lie between the signature and the table.
        guard offset >= 8, offset < UInt64(tableOffset) else { throw Self.malformed(entry) }
        return (try bytes(at: Int64(offset), count: 1)[0], Int64(offset))
    }

    /// The length of an object, and the offset of its payload. Lengths of 15 and more follow the marker as a number.
    private func length(_ marker: UInt8, at offset: Int64) throws -> (count: Int, start: Int64) {
        guard marker & 15 == 15 else { return (Int(marker & 15), offset + 1) }
        let size = try bytes(at: offset + 1, count: 1)[0]
        guard size >> 4 == 1, size & 15 <= 3 else { throw Self.malformed(offset) }
        let width = 1 << Int(size & 15)
        let count = Self.number(try bytes(at: offset + 2, count: width)[...])
        // No object is longer than the file. This also keeps later sums from overflowing.
        guard count <= UInt64(tableOffset) else { throw Self.malformed(offset) }
        return (Int(count), offset + 2 + Int64(width))
    }

    private func references(_ count: Int, at offset: Int64) throws -> [UInt64] {
        guard count <= limits.objects else { throw failure(.tooMany, offset) }
        guard count > 0 else { return [] }
        let bytes = try bytes(at: offset, count: count * referenceSize)
        return (0..<count).map { Self.number(bytes[$0 * referenceSize..<($0 + 1) * referenceSize]) }
    }

    private mutating func payload(_ marker: UInt8, width: Int, at offset: Int64) throws -> [UInt8] {
        let (count, start) = try length(marker, at: offset)
        let (size, overflow) = count.multipliedReportingOverflow(by: width)
        // A small file can refer to one large string many times, so the sum of all payloads is limited.
        guard !overflow, size <= limits.expandedBytes - expandedBytes else { throw failure(.tooLarge, offset) }
        expandedBytes += size
        return size == 0 ? [] : try bytes(at: start, count: size)
    }

    /// Exactly `count` bytes, all of them before the trailer.
    private func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        let end = content.size - Self.trailerSize
        guard offset >= 0, offset <= end, Int64(count) <= end - offset else { throw Self.malformed(offset) }
        let bytes = try content.read(at: offset, count: count)
        guard bytes.count == count else { throw Self.malformed(offset) }
        return bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private func failure(_ reason: PropertyList.Failure.Reason, _ offset: Int64) -> PropertyList.Failure {
        PropertyList.Failure(reason: reason, offset: Int(offset))
    }

    private static func malformed(_ offset: Int64) -> PropertyList.Failure {
        PropertyList.Failure(reason: .malformed, offset: Int(offset))
    }
}
