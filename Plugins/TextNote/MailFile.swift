import Glibc
import SinkTools

/// A file with mails, and how much of it GMime may read. GMime keeps every header and every part of a message in memory,
/// so this looks for the place where a message exceeds the limits.
struct MailFile {
    /// The most bytes of a file that are read.
    static let maximumBytes = 1 << 30
    /// The most lines of one message that begin with two hyphens, as the boundary before each part does.
    static let maximumBoundaries = 50_000
    /// The most lines of one message that may belong to headers.
    static let maximumHeaderLines = 500_000
    /// The most colons of one header. GMime's parser of addresses calls itself for each group of them.
    static let maximumColons = 10_000
    /// The most bytes of these lines.
    static let maximumHeaderBytes = 32 << 20
    /// The most bytes before the colon of a header.
    private static let longestName = 128
    private static let piece = 1 << 20

    /// The open file, which the caller owns.
    let descriptor: Int32
    /// The part of the file with mails, in bytes.
    private(set) var start = 0
    private(set) var end = 0
    /// Whether each mail begins with a line `From `.
    private(set) var isMailbox = false
    /// Whether mails lie beyond the end.
    private(set) var isCut = false

    /// The state of the line by line search.
    private var boundaries = 0
    private var headerLines = 0
    private var headerBytes = 0
    private var colons = 0
    private var inHeaders = true

    init(_ path: String) throws {
        descriptor = try openRegularFile(path)
        var status = stat()
        let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        findStart(size)
        isCut = end - start > Self.maximumBytes
        if isCut { end = start + Self.maximumBytes }
        findEnd()
    }

    /// Skips a byte order mark and empty lines, and the count of bytes before a mail of Apple's Mail.
    private mutating func findStart(_ size: Int) {
        end = size
        let head = bytes(at: 0, 4096)
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        while start < head.count, head[start] == 0x0A || head[start] == 0x0D || head[start] == 0x20 { start += 1 }
        let digits = head[start...].prefix { (0x30...0x39).contains($0) }
        let rest = head[digits.endIndex...].drop { $0 == 0x20 || $0 == 0x0D }
        if let count = Int(String(decoding: digits, as: UTF8.self)), rest.first == 0x0A {
            start = rest.startIndex + 1
            end = min(size, start + min(count, size))
        }
        isMailbox = head[min(start, head.count)...].starts(with: "From ".utf8)
    }

    private func bytes(at offset: Int, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
        }
    }

    /// Moves the end before the first line beyond a limit.
    private mutating func findEnd() {
        var offset = start
        var isStartOfLine = true
        while offset < end {
            let buffer = bytes(at: offset, min(Self.piece, end - offset))
            if buffer.isEmpty { break }
            var line = 0
            while line < buffer.count {
                let feed = buffer.withUnsafeBytes { raw -> Int? in
                    guard let base = raw.baseAddress, let found = memchr(base + line, 0x0A, raw.count - line) else {
                        return nil
                    }
                    return UnsafeRawPointer(found) - base
                }
                let next = feed.map { $0 + 1 } ?? buffer.count
                // A line across two pieces counts as the beginning of it, and its rest as bytes only.
                if isStartOfLine { count(buffer[line..<next]) } else if inHeaders { countHeader(buffer[line..<next]) }
                guard boundaries <= Self.maximumBoundaries, headerLines <= Self.maximumHeaderLines,
                    headerBytes <= Self.maximumHeaderBytes, colons <= Self.maximumColons
                else {
                    end = offset + line
                    isCut = true
                    return
                }
                isStartOfLine = feed != nil
                line = next
            }
            offset += buffer.count
        }
    }

    private mutating func count(_ line: ArraySlice<UInt8>) {
        guard let first = line.first else { return }
        if isMailbox, first == UInt8(ascii: "F"), line.starts(with: "From ".utf8) {
            (boundaries, headerLines, headerBytes, inHeaders) = (0, 0, 0, true)
        } else if first == UInt8(ascii: "-"), line.starts(with: "--".utf8) {
            boundaries += 1
            inHeaders = true
        } else if first == 0x0A || first == 0x0D {
            // The headers of a message within a message follow an empty line.
            inHeaders = true
        } else if inHeaders {
            inHeaders = Self.isHeader(line)
            if inHeaders {
                headerLines += 1
                if let first = line.first, first != 0x20, first != 0x09 { colons = 0 }
                countHeader(line)
            }
        }
    }

    private mutating func countHeader(_ bytes: ArraySlice<UInt8>) {
        headerBytes += bytes.count
        colons += bytes.count { $0 == UInt8(ascii: ":") }
    }

    private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
        if let first = line.first, first == 0x20 || first == 0x09 { return true }
        let name = line.prefix(longestName).prefix { $0 > 0x20 && $0 != UInt8(ascii: ":") }
        // Spaces may precede the colon.
        return line[name.endIndex...].first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: ":") && !name.isEmpty
    }
}
