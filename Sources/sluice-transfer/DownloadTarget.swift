import Files
import FoundationEssentials
import Glibc
import ShareModel
import Synchronization
import SystemPackage
import Transfers

/// The file of a download. The engine asks it where the body of an answer goes.
final class DownloadTarget: Sendable {
    private struct State {
        /// The address that is asked.
        var url = ""
        /// What an earlier try has left.
        var known: DownloadPlace?
        /// Where the body of the request under way would go on; 0 for its beginning.
        var start: Int64 = 0
        var expectedSize: Int64?
        var hasBegun = false
        /// The largest file that the request under way may make.
        var room: Int64 = 0
        var refusal: RequestFailure?
    }

    private let files: TransferFiles
    private let key: String
    let limit: Int64
    private let meter: UploadMeter
    private let file: FileDescriptor
    private let state = Mutex(State())

    /// The most bytes of the file with what is known.
    private static let placeLimit = 16 << 10

    /// - Throws: ``FileError``.
    init(_ files: TransferFiles, _ key: String, limit: Int64, _ meter: UploadMeter) throws {
        (self.files, self.key, self.limit, self.meter) = (files, key, limit, meter)
        file = try files.spool.open(TransferFiles.download(key))
        guard case .file? = try? Directory.EntryKind(of: file) else {
            try? file.close()
            throw FileError(.system, "it is no regular file")
        }
        let known = try? files.spool.read(TransferFiles.place(key), limit: Self.placeLimit).map {
            try JSONLines.decode(DownloadPlace.self, from: $0)
        }
        if let known = known ?? nil, known.boot == Self.boot { state.withLock { $0.known = known } }
    }

    func close() { try? file.close() }

    /// The bytes of the file.
    var size: Int64 { (try? OpenFileStatus(of: file).stamp.size) ?? 0 }

    /// The size of the whole content, if the service has said it.
    var expectedSize: Int64? { state.withLock(\.expectedSize) }

    /// Begins a request to an address.
    ///
    /// - Returns: the headers that let it go on where an earlier one has stopped; none if it begins anew.
    func begin(at url: String) -> [HeaderField] {
        let size = size
        let free = files.spool.freeBytes() ?? .max
        return state.withLock { state in
            state.room = min(limit, size + max(0, free - TransferLimits.reserveBytes))
            (state.url, state.start, state.hasBegun, state.refusal) = (url, 0, false, nil)
            guard let known = state.known, known.url == url, size > 0 else { return [] }
            state.start = size
            return [HeaderField("Range", "bytes=\(size)-"), HeaderField("If-Range", known.validator)]
        }
    }

    /// Forgets what has come.
    ///
    /// - Returns: whether there was something.
    func restart() -> Bool {
        let hadBytes = size > 0
        empty()
        state.withLock { ($0.known, $0.expectedSize) = (nil, nil) }
        return hadBytes
    }

    /// The largest file that the request under way may make, in bytes. A disk must not become full.
    var room: Int64 { state.withLock(\.room) }

    /// Whether a larger file would be allowed, if there were room for it. Then the file is emptied.
    var isOutOfRoom: Bool {
        guard room < limit else { return false }
        _ = restart()
        return true
    }

    /// Why the last request was ended, because its answer is not the one that was asked for.
    var refusal: RequestFailure? { state.withLock(\.refusal) }

    enum Place {
        case file(FileDescriptor, offset: Int64)
        /// It is no content.
        case memory
        /// The request must end, for the reason ``refusal``.
        case none
    }

    /// Says where the body of an answer goes, on the thread of the engine.
    func open(_ status: Int, _ headers: [HeaderField]) -> Place {
        func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }
        return state.withLock { state in
            state.hasBegun = true
            switch status {
            case 206:
                // Without a size, nothing would tell that the last part has come.
                guard state.start > 0, let known = state.known, known.continues(with: headers, at: state.start),
                    let size = known.size ?? ContentRange(headers)?.size
                else {
                    empty()
                    state.known = nil
                    state.refusal = RequestFailure(
                        .transient, "the service sends another part than the one that was asked for")
                    return .none
                }
                state.expectedSize = size
                meter.move(to: state.start)
                return .file(file, offset: state.start)
            case 200..<300:
                guard empty() else {
                    state.refusal = RequestFailure(.transient, "its file cannot be emptied")
                    return .none
                }
                let size = value("content-length").flatMap { Int64($0) }
                state.expectedSize = size
                state.known = Self.validator(headers).map {
                    DownloadPlace(
                        boot: Self.boot, url: state.url, validator: $0, size: size, digest: Download.digest(in: headers)
                    )
                }
                meter.move(to: 0)
                if let known = state.known { try? write(known) }
                return .file(file, offset: 0)
            default: return .memory
            }
        }
    }

    /// Whether the file has one of these texts. Then it is emptied.
    func contains(_ secrets: [String]) -> Bool {
        let texts = secrets.map { Array($0.utf8) }.filter { !$0.isEmpty }
        guard state.withLock(\.hasBegun), let longest = texts.map(\.count).max() else { return false }
        var (offset, kept) = (Int64(0), 0)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: longest + Self.piece, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[kept..<kept + Self.piece])
            // A file that cannot be read goes to no one.
            guard let count = try? file.read(fromAbsoluteOffset: offset, into: rest) else { break }
            if count == 0 { return false }
            let read = UnsafeRawBufferPointer(rebasing: buffer[..<(kept + count)])
            if texts.contains(where: { Self.has($0, in: read) }) { break }
            // A text may begin in one piece and end in the next one.
            kept = min(longest - 1, read.count)
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: read.suffix(kept)))
            offset += Int64(count)
        }
        _ = restart()
        return true
    }

    private static let piece = 1 << 20

    /// Whether bytes have a text that is not empty.
    private static func has(_ text: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
        guard var start = bytes.baseAddress else { return false }
        let end = start + bytes.count
        while start + text.count <= end, let hit = memchr(start, Int32(text[0]), end - start - text.count + 1) {
            if memcmp(hit, text, text.count) == 0 { return true }
            start = UnsafeRawPointer(hit) + 1
        }
        return false
    }

    /// Takes a successful answer whose body was empty, for which the engine has not asked.
    ///
    /// - Throws: ``RequestFailure`` if it is not the answer that was asked for.
    func finish(_ answer: RequestAnswer) throws {
        if !state.withLock(\.hasBegun) { _ = open(answer.status, answer.headers) }
        if let refusal { throw refusal }
    }

    /// The SHA-256 that the service has stated for the whole content, now or when it began.
    var expectedDigest: Digest? { state.withLock { $0.known?.digest } }

    /// - Returns: whether that has succeeded.
    @discardableResult
    private func empty() -> Bool {
        (try? files.spool.remove(TransferFiles.place(key))) != nil && ftruncate(file.rawValue, 0) == 0
    }

    private func write(_ place: DownloadPlace) throws {
        let target = try files.spool.open(TransferFiles.place(key))
        try target.closeAfter { _ = try target.writeAll(try JSONLines.encode(place)) }
    }

    /// What shows that the content has not changed: a strong `ETag` (RFC 9110, section 8.8.3); else `Last-Modified`, if it is a minute older
    /// than the answer (section 8.8.2.2).
    private static func validator(_ headers: [HeaderField]) -> String? {
        func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }
        if let tag = value("etag") {
            return isStrong(tag) ? tag : nil
        }
        guard let changed = value("last-modified"), let then = HTTPDate.seconds(changed),
            let now = value("date").flatMap(HTTPDate.seconds), now >= then + 60
        else { return nil }
        return changed
    }

    /// Whether an entity tag is not weak, and not longer than a service needs.
    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        return 2...1_002 ~= bytes.count && bytes.first == UInt8(ascii: "\"") && bytes.last == UInt8(ascii: "\"")
            && bytes.dropFirst().dropLast().allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") }
    }

    /// Identifies the start of the system.
    private static let boot: String = {
        let bytes = try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 256)
        // Without one, nothing of an earlier process counts.
        return bytes.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self).trimmed } ?? UniqueName.make()
    }()
}

extension DownloadPlace {
    /// Whether a part that has come goes on where the file ends, and is of the same content.
    fileprivate func continues(with headers: [HeaderField], at start: Int64) -> Bool {
        guard let range = ContentRange(headers), range.start == start else { return false }
        if let size, let whole = range.size, whole != size { return false }
        // A service may ignore the condition of the request. A part has the tag that the whole would have; it need not have the date
        // (RFC 9110, section 15.3.7).
        let isTag = validator.hasPrefix("\"")
        guard let now = headers.first(where: { $0.name == (isTag ? "etag" : "last-modified") })?.value else {
            return !isTag
        }
        return now == validator
    }
}

/// The first byte and the whole size in `Content-Range`.
private struct ContentRange {
    let start: Int64
    let size: Int64?

    init?(_ headers: [HeaderField]) {
        guard let text = headers.first(where: { $0.name == "content-range" })?.value,
            let match = text.wholeMatch(of: /bytes ([0-9]{1,18})-[0-9]{1,18}\/([0-9]{1,18}|\*)/),
            let start = Int64(match.1)
        else { return nil }
        (self.start, size) = (start, Int64(match.2))
    }
}

/// The form of dates that services must use (RFC 9110, section 5.6.7).
private enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// A zero stands for any digit, `X` for a capital, and `x` for a small letter.
    private static let form = Array("Xxx, 00 Xxx 0000 00:00:00 GMT".utf8)

    /// The seconds since 1970; `nil` for a date in another form.
    static func seconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        let isDate =
            bytes.count == form.count
            && zip(bytes, form).allSatisfy { byte, form in
                switch form {
                case UInt8(ascii: "0"): UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                case UInt8(ascii: "X"): UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                case UInt8(ascii: "x"): UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                default: byte == form
                }
            }
        guard isDate, let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)) else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int32 { bytes[range].reduce(0) { $0 * 10 + Int32($1 & 0xF) } }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (number(12..<16) - 1_900, Int32(month), number(5..<7))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(17..<19), number(20..<22), number(23..<25))
        return timegm(&parts)
    }
}
