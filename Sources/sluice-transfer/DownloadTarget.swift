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
        var refusal: RequestFailure?
    }

    private let files: TransferFiles
    private let key: String
    let limit: Int64
    private let file: FileDescriptor
    private let state = Mutex(State())

    /// The most bytes of the file with what is known.
    private static let placeLimit = 16 << 10

    /// - Throws: ``FileError``.
    init(_ files: TransferFiles, _ key: String, limit: Int64) throws {
        (self.files, self.key, self.limit) = (files, key, limit)
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
        return state.withLock { state in
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
                guard state.start > 0, let range = Self.range(value("content-range")), range.start == state.start else {
                    empty()
                    state.known = nil
                    state.refusal = RequestFailure(
                        .transient, "the service sends another part than the one that was asked for")
                    return .none
                }
                state.expectedSize = range.size ?? state.known?.size
                return .file(file, offset: state.start)
            case 200..<300:
                empty()
                let size = value("content-length").flatMap { Int64($0) }
                state.expectedSize = size
                state.known = Self.validator(headers).map {
                    DownloadPlace(boot: Self.boot, url: state.url, validator: $0, size: size)
                }
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

    /// Makes the file empty if the answer had no body.
    func finishEmpty(_ answer: RequestAnswer) {
        if !state.withLock(\.hasBegun), answer.status != 206 { empty() }
    }

    private func empty() {
        try? files.spool.remove(TransferFiles.place(key))
        ftruncate(file.rawValue, 0)
    }

    private func write(_ place: DownloadPlace) throws {
        let target = try files.spool.open(TransferFiles.place(key))
        try target.closeAfter { _ = try target.writeAll(try JSONLines.encode(place)) }
    }

    /// What shows that the content has not changed: a strong `ETag` (RFC 9110, section 8.8.3), else `Last-Modified`.
    private static func validator(_ headers: [HeaderField]) -> String? {
        let tag = headers.first { $0.name == "etag" }?.value
        if let tag, tag.hasPrefix("\""), tag.utf8.count < 4_096 { return tag }
        return headers.first { $0.name == "last-modified" }?.value
    }

    /// The first byte and the whole size in `Content-Range`.
    private static func range(_ text: String?) -> (start: Int64, size: Int64?)? {
        guard let text, let match = text.wholeMatch(of: /bytes ([0-9]{1,18})-[0-9]{1,18}\/([0-9]{1,18}|\*)/),
            let start = Int64(match.1)
        else { return nil }
        return (start, Int64(match.2))
    }

    /// Identifies the start of the system.
    private static let boot: String = {
        let bytes = try? SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 256)
        // Without one, nothing of an earlier process counts.
        return bytes.flatMap { $0 }.map { String(decoding: $0, as: UTF8.self).trimmed } ?? UniqueName.make()
    }()
}
