import Glibc

/// The file operations that the mock needs.
enum MockFile {
    static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw MockFailure("\(path) cannot be opened") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk.prefix(count) }
        return bytes
    }

    /// - Parameter mode: as for `fopen`: `w` replaces the content, `a` appends.
    static func write(_ path: String, _ bytes: some Sequence<UInt8>, mode: String = "w") throws {
        let bytes = Array(bytes)
        guard let file = fopen(path, mode) else { throw MockFailure("\(path) cannot be written") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Creates a sparse file of this size.
    static func writeHole(_ path: String, bytes: Int) throws {
        try write(path, [])
        truncate(path, off_t(bytes))
    }
}
