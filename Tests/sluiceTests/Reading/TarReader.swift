import CArchive
import ShareModel
import SystemPackage

@testable import Reading

/// A reader of tar archives through libarchive, as an example of a real reader.
struct TarReader: ContainerReader {
    let name = "tar"

    func open(_ stream: PeekableStream, path: FilePath) throws(ReadingError) -> (any OpenedContainer)? {
        guard stream.head.count >= 512, stream.head[257..<262].elementsEqual("ustar".utf8) else { return nil }
        return try TarContainer(stream, path)
    }
}

/// A tar archive that libarchive reads from a stream.
private final class TarContainer: OpenedContainer {
    private let archive: OpaquePointer
    private let stream: PeekableStream
    private let path: FilePath
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var failure: ReadingError?

    init(_ stream: PeekableStream, _ path: FilePath) throws(ReadingError) {
        guard let archive = archive_read_new() else { throw ReadingError(.unreadable, "no memory for \(path)") }
        (self.archive, self.stream, self.path) = (archive, stream, path)
        archive_read_support_format_tar(archive)
        let context = Unmanaged.passUnretained(self).toOpaque()
        let status = archive_read_open(
            archive, context, nil,
            { _, context, bytes in
                guard let context, let bytes else { return -1 }
                let container = Unmanaged<TarContainer>.fromOpaque(context).takeUnretainedValue()
                return container.fill(bytes)
            }, nil)
        guard status == ARCHIVE_OK else { throw error() }
    }

    deinit {
        archive_read_free(archive)
        buffer.deallocate()
    }

    private func fill(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
        do throws(ReadingError) {
            bytes.pointee = UnsafeRawPointer(buffer.baseAddress)
            return try stream.read(into: buffer)
        } catch {
            failure = error
            return -1
        }
    }

    func next() throws(ReadingError) -> ContainerPart? {
        var entry: OpaquePointer?
        while true {
            switch archive_read_next_header(archive, &entry) {
            case ARCHIVE_EOF: return nil
            case ARCHIVE_OK: break
            default: throw error()
            }
            guard archive_entry_filetype(entry) == 0o100000, let name = archive_entry_pathname(entry) else { continue }
            return ContainerPart(path: FilePath(platformString: name), size: archive_entry_size(entry))
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw error() }
        return count
    }

    private func error() -> ReadingError {
        if let failure { return failure }
        let words = archive_error_string(archive).map { String(cString: $0) } ?? "an unknown error of libarchive"
        return ReadingError(.malformed, "\(path) is a broken archive: \(words)")
    }
}

/// A tar archive of these files, as bytes.
func tar(_ files: KeyValuePairs<String, [UInt8]>) -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, content) in files {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at place: Int) {
            header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
        }
        func octal(_ number: Int, digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: digits - text.count) + text
        }
        put(name, at: 0)
        put("0000644", at: 100)
        put(octal(content.count, digits: 11), at: 124)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar\u{0}00", at: 257)
        put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + "\u{0} ", at: 148)
        bytes += header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }
    return bytes + [UInt8](repeating: 0, count: 1024)
}
