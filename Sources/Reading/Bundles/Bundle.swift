internal import CTarWriter
internal import Files
internal import ShareModel
internal import SystemPackage

/// A folder that is one document (`Letter.pages`, `Notes.rtfd`), as one stream of bytes.
///
/// The stream is a POSIX pax archive without compression. The same files give the same bytes wherever and whenever
/// they are packed: entries are sorted by the bytes of their names, times and owners are zero, modes 0644 and 0755.
package struct Bundle: ~Copyable {
    private let folder: Directory
    private let name: FilePath.Component
    private let limits: ReadingLimits
    private let bag: BagManifest?
    private let place: FilePath

    /// - Parameter place: the folder that the document lies in.
    init(
        _ folder: Directory, name: FilePath.Component, limits: ReadingLimits, bag: BagManifest? = nil,
        place: FilePath
    ) {
        self.bag = bag
        self.place = place
        self.folder = folder
        self.name = name
        self.limits = limits
    }

    /// Packs the folder and passes its bytes to `body`, in order and in pieces of about 64 KiB.
    ///
    /// - Throws: ``ReadingError`` for a link, special file or container inside, for too many or too deep entries, and for
    ///   a file that changes meanwhile; each error of `body`.
    package borrowing func pack(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try withoutActuallyEscaping(body) { body in
            let writer = try TarWriter(body)
            try walk { path, entry in
                switch entry {
                case .folder: try writer.addFolder(path)
                case .file(let name, let folder, _):
                    let payload = try bag.flatMap { try PayloadCheck($0, at: place.appending(path.components)) }
                    let descriptor = try named(path.string) { () throws(Errno) in try folder.open(name) }
                    try writer.addFile(path, try OpenedFile(descriptor, name: path.string, payload: payload))
                }
            }
            try writer.finish()
        }
    }

    /// The number of bytes that ``pack(_:)`` passes on if no file changes meanwhile. No file is opened.
    ///
    /// It is a little too low if a file has 8 GiB or more, because the header states such a size in an entry of its own.
    ///
    /// - Throws: as ``pack(_:)``, without the errors of reading.
    package borrowing func packedSize() throws -> Int64 {
        var (headers, contents): (Int64, Int64) = (0, 0)
        let writer = try TarWriter { headers += Int64($0.count) }
        try walk { path, entry in
            switch entry {
            case .folder: try writer.addFolder(path)
            case .file(_, _, let size):
                try writer.addFile(path, size: 0)
                // A sparse file may state any size, so the sum may overflow.
                let (sum, isHuge) = contents.addingReportingOverflow(TarWriter.padded(size))
                contents = isHuge ? .max : sum
            }
        }
        try writer.finish()
        let (sum, isHuge) = headers.addingReportingOverflow(contents)
        return isHuge ? .max : sum
    }

    private enum Entry {
        case folder
        case file(FilePath.Component, Directory, size: Int64)
    }

    /// Calls `body` for the folder and for everything in it, each folder before its entries.
    private borrowing func walk(_ body: (FilePath, Entry) throws -> Void) throws {
        var entries = 0
        try walk(folder, path: FilePath(root: nil, components: name), depth: 1, entries: &entries, body)
    }

    private borrowing func walk(
        _ folder: Directory, path: FilePath, depth: Int, entries: inout Int, _ body: (FilePath, Entry) throws -> Void
    ) throws {
        guard depth <= limits.depth else {
            throw ReadingError(.limit, "\(path) lies more than \(limits.depth) folders deep")
        }
        guard !folder.isContainer else { throw ReadingError(.refused, "\(path) is \(WalkRules.container)") }
        try body(path, .folder)
        for name in try named(path.string, { () throws(Errno) in try folder.names() }) {
            entries += 1
            guard entries <= limits.bundleEntries else {
                throw ReadingError(.limit, "\(self.name) holds more than \(limits.bundleEntries) files")
            }
            let inner = path.appending(name)
            let (kind, stamp) = try named(inner.string) { () throws(Errno) in try folder.entry(name) }
            switch kind {
            case .file: try body(inner, .file(name, folder, size: stamp.size))
            case .folder:
                let next = try named(inner.string) { () throws(Errno) in try Directory(name, below: folder) }
                try walk(next, path: inner, depth: depth + 1, entries: &entries, body)
            case .link: throw ReadingError(.tooManySymbolicLinkLevels, on: inner.string)
            case .special(let words):
                throw ReadingError(.refused, "\(inner) is \(words); a document folder holds only files")
            }
        }
    }
}

/// libarchive's writer, which passes its bytes to a closure.
private final class TarWriter {
    private let archive: OpaquePointer
    private let calls: libarchive
    private let body: (UnsafeRawBufferPointer) throws -> Void
    private var failure: (any Error)?

    private static let library = Result { () throws -> libarchive in
        var functions = libarchive()
        guard let why = libarchive_load(&functions) else { return functions }
        throw ReadingError(
            .unreadable,
            "folders cannot be packed: \(String(cString: why)); install libarchive (in Debian: libarchive13)")
    }

    init(_ body: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
        let calls = try Self.library.get()
        guard let archive = calls.create() else { throw ReadingError(.unreadable, "no memory for an archive") }
        (self.archive, self.calls) = (archive, calls)
        self.body = body
        try check(calls.set_format_pax_restricted(archive))
        // By default libarchive pads the archive to a tape record of 10 KiB.
        try check(calls.set_bytes_in_last_block(archive, 1))
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(
            calls.open(
                archive, context, nil,
                { _, context, bytes, count in
                    guard let context, let bytes else { return -1 }
                    let writer = Unmanaged<TarWriter>.fromOpaque(context).takeUnretainedValue()
                    return writer.handOn(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -1
                }, nil))
    }

    deinit {
        // Otherwise the archive is closed first: the rest of an entry is filled with zeros, and passed to the closure.
        _ = calls.fail(archive)
        _ = calls.free(archive)
    }

    func addFolder(_ path: FilePath) throws {
        try addHeader(path, mode: 0o040755, size: 0)
    }

    /// Adds the header of a file, whose bytes follow.
    func addFile(_ path: FilePath, size: Int64) throws { try addHeader(path, mode: 0o100644, size: size) }

    /// The size of a file's bytes in the archive, whose records have 512 bytes.
    static func padded(_ size: Int64) -> Int64 {
        let (sum, isHuge) = size.addingReportingOverflow(511)
        return isHuge ? .max : sum / 512 * 512
    }

    func addFile(_ path: FilePath, _ file: borrowing OpenedFile) throws {
        try addFile(path, size: file.size)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var total: Int64 = 0
        let hasher = file.payload?.makeHasher()
        while true {
            let count = try file.read(into: buffer)
            guard count > 0 else { break }
            total += Int64(count)
            hasher?.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            let written = calls.data(archive, buffer.baseAddress, count)
            // libarchive takes no more bytes than the header states, so a short write can mean that the file grew.
            guard written == count else {
                if failure == nil { try file.checkUnchanged(afterReading: total) }
                throw error()
            }
        }
        try file.checkUnchanged(afterReading: total)
        if let hasher { try file.payload?.check(hasher) }
    }

    func finish() throws { try check(calls.close(archive)) }

    private func addHeader(_ path: FilePath, mode: UInt32, size: Int64) throws {
        guard let entry = calls.entry_new() else { throw ReadingError(.unreadable, "no memory for \(path)") }
        defer { calls.entry_free(entry) }
        path.withPlatformString { calls.entry_copy_pathname(entry, $0) }
        calls.entry_set_mode(entry, mode)
        calls.entry_set_size(entry, size)
        calls.entry_set_mtime(entry, 0, 0)
        try check(calls.header(archive, entry))
    }

    private func handOn(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            try body(bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func check(_ status: Int32) throws {
        // A warning says that a name is not UTF-8. Its bytes are kept.
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { throw error() }
    }

    private func error() -> any Error {
        if let failure { return failure }
        let words = calls.error_string(archive).map { String(cString: $0) } ?? "an unknown error of libarchive"
        return ReadingError(.unreadable, "the folder cannot be packed: \(words)")
    }
}
