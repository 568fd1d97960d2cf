internal import Files
internal import SystemPackage

/// The Swift libraries that this program runs with, or was linked with. Sinks in Swift need the same ones.
enum SwiftRuntime {
    /// The folder of the libraries; `nil` if it is not known.
    static let folder: FilePath? = loaded ?? ProcessImage.linkedRuntime

    private static let loaded: FilePath? = {
        let name = Array("/libswiftCore.so".utf8)
        for line in mappings().split(separator: UInt8(ascii: "\n")) where line.suffix(name.count).elementsEqual(name) {
            guard let start = line.firstIndex(of: UInt8(ascii: "/")) else { continue }
            return FilePath(String(decoding: line[start..<(line.endIndex - name.count)], as: UTF8.self))
        }
        return nil
    }()

    /// The files that are mapped into this process. The kernel reports no size for this file, so it is read to its end.
    private static func mappings() -> [UInt8] {
        guard let file = try? FileDescriptor.open("/proc/self/maps", .readOnly, options: .closeOnExec) else {
            return []
        }
        defer { try? file.close() }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while let count = try? buffer.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }
}
