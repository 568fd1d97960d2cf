internal import SystemPackage

/// Where the Swift libraries lie that this program runs with: sinks in Swift need the same.
enum SwiftRuntime {
    /// The folder; `nil` where the libraries are part of the program.
    static let folder: FilePath? = {
        for line in mappings().split(separator: UInt8(ascii: "\n")) {
            guard let start = line.firstIndex(of: UInt8(ascii: "/")) else { continue }
            let path = FilePath(String(decoding: line[start...], as: UTF8.self))
            if path.lastComponent == "libswiftCore.so" { return path.removingLastComponent() }
        }
        return nil
    }()

    /// What the kernel says is mapped into this process. Its size is not known before.
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
