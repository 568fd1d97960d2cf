internal import CMagic
internal import Glibc

/// The compiled rules of libmagic, in memory once for all cookies of the process. By itself, each cookie maps their eight
/// megabytes once more.
struct MagicDatabase: Sendable {
    /// `nil` if libmagic has to read its rules itself: some of them are text, or the files are of another kind of machine.
    static let shared = MagicDatabase()

    /// The mapped files, in the order in which libmagic looks at them. They stay for as long as the process lives.
    private nonisolated(unsafe) let files: [UnsafeMutableRawBufferPointer]

    /// The first bytes of a file that this machine has compiled (`file.h` of libmagic, `MAGICNO`).
    private static let mark: UInt32 = 0xF11E_041C

    private init?() {
        // 0: the places from which rules are loaded.
        guard let places = magic_getpath(nil, 0) else { return nil }
        var files: [UnsafeMutableRawBufferPointer] = []
        for place in String(cString: places).split(separator: ":").map(String.init) {
            if let compiled = Self.map(place.hasSuffix(".mgc") ? place : place + ".mgc") {
                guard compiled.count >= 4, compiled.loadUnaligned(as: UInt32.self) == Self.mark else { return nil }
                files.append(compiled)
            } else if !Self.hasNoRules(place) {
                return nil
            }
        }
        guard !files.isEmpty else { return nil }
        self.files = files
    }

    /// Gives the rules to a cookie.
    ///
    /// - Returns: whether it has taken them.
    func load(into cookie: magic_t) -> Bool {
        var starts = files.map(\.baseAddress)
        var sizes = files.map(\.count)
        return magic_load_buffers(cookie, &starts, &sizes, starts.count) == 0
    }

    /// Whether there is no such file, or it consists of comments, as `/etc/magic` usually does.
    private static func hasNoRules(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else { return true }
        guard let text = map(path) else { return false }
        defer { munmap(text.baseAddress, text.count) }
        return text.split(separator: UInt8(ascii: "\n")).allSatisfy { $0.first == UInt8(ascii: "#") }
    }

    /// `nil` if there is no such file, or it is empty. libmagic would write into rules of another order of bytes alone, which ``mark``
    /// excludes.
    private static func map(_ path: String) -> UnsafeMutableRawBufferPointer? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
        let size = Int(status.st_size)
        let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0)
        guard let start, start != MAP_FAILED else { return nil }
        return UnsafeMutableRawBufferPointer(start: start, count: size)
    }
}
