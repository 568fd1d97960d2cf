import Foundation
import SystemPackage
import Testing

/// A pseudo terminal (pty(7)). Programs use its path as their terminal; the test is the screen and the keyboard.
final class PseudoTerminal: Sendable {
    let screen: FileDescriptor
    let path: FilePath

    /// - Parameter cell: the size of a cell in pixels, which `TIOCGWINSZ` reports; 0 if the terminal does not know it.
    init(rows: UInt16 = 40, columns: UInt16 = 100, cell: (width: UInt16, height: UInt16) = (0, 0)) throws {
        screen = try FileDescriptor.open(
            "/dev/ptmx", .readWrite, options: .init(rawValue: O_NOCTTY | O_CLOEXEC))
        var (locked, number): (Int32, Int32) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN, which the importer of C does not know.
        try #require(ioctl(screen.rawValue, 0x4004_5431, &locked) == 0)
        try #require(ioctl(screen.rawValue, 0x8004_5430, &number) == 0)
        path = FilePath("/dev/pts/\(number)")
        var size = winsize(
            ws_row: rows, ws_col: columns, ws_xpixel: columns * cell.width, ws_ypixel: rows * cell.height)
        try #require(ioctl(screen.rawValue, UInt(TIOCSWINSZ), &size) == 0)
    }

    deinit { try? screen.close() }

    /// The terminal as a program has it. The caller closes it.
    func open() throws -> FileDescriptor {
        try FileDescriptor.open(path, .readWrite, options: .init(rawValue: O_NOCTTY | O_CLOEXEC))
    }

    /// The local modes, such as `ICANON` and `ECHO`, and the characters with a meaning, such as that for Ctrl-C.
    var modes: [UInt8] {
        get throws {
            var modes = termios()
            try #require(tcgetattr(screen.rawValue, &modes) == 0)
            return withUnsafeBytes(of: &modes.c_lflag) { Array($0) } + withUnsafeBytes(of: &modes.c_cc) { Array($0) }
        }
    }

    /// Types keys, or answers as a terminal does.
    func type(_ text: String) throws { try screen.writeAll(text.utf8) }

    /// What programs wrote, up to the first occurrence of a text or the end of a process.
    @discardableResult
    func read(until end: String? = nil, orEndOf process: Process? = nil) throws -> String {
        var bytes: [UInt8] = []
        while true {
            let isLast = process.map { !$0.isRunning } ?? false
            var request = pollfd(fd: screen.rawValue, events: Int16(POLLIN), revents: 0)
            while poll(&request, 1, isLast ? 0 : 20) > 0, request.revents & Int16(POLLIN) != 0 {
                // One byte after the other, so that nothing behind the text is lost.
                bytes += try read(atMost: end == nil ? 4_096 : 1)
                if let end, bytes.suffix(end.utf8.count).elementsEqual(end.utf8) { return Self.text(bytes) }
            }
            if isLast { return Self.text(bytes) }
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func read(atMost limit: Int) throws -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: limit)
        return buffer[..<(try buffer.withUnsafeMutableBytes { try screen.read(into: $0) })]
    }
}
