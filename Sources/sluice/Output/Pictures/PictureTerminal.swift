import Files
import Glibc
import Ingestion
import SystemPackage

/// The terminal of standard output, if it can show pictures.
struct PictureTerminal: Equatable {
    enum Graphics: Equatable {
        case kitty
        /// With this number of colors at most.
        case sixel(colors: Int)
    }

    var graphics: Graphics
    /// The size of a cell, in pixels.
    var cell: PixelBox
    /// The size that each picture must fit into, in pixels.
    var box: PixelBox

    /// The most rows of a picture.
    static let mostRows = 12
    /// The columns before a picture in the tree of a receipt.
    static let indent = 12
    /// A picture of fewer rows or columns shows nothing.
    private static let fewest = 4
    /// The colors of a sixel picture if the terminal does not say how many it has. All present ones have as many.
    private static let usualColors = 256

    /// - Parameter size: the terminal's size in cells and, if it knows them, in pixels.
    init?(_ answers: TerminalAnswers, _ size: winsize) {
        guard answers.kitty || answers.sixel, let cell = answers.cell ?? Self.cell(size) else { return nil }
        let rows = min(Self.mostRows, Int(size.ws_row) - 2)
        let columns = Int(size.ws_col) - Self.indent
        guard rows >= Self.fewest, columns >= Self.fewest else { return nil }
        // Kitty's protocol has all colors.
        graphics = answers.kitty ? .kitty : .sixel(colors: min(answers.colors ?? Self.usualColors, Self.usualColors))
        self.cell = cell
        box = PixelBox(width: min(columns * cell.width, Self.longestSide), height: rows * cell.height)
        // Whole sixels, so that the last one stays in the last row.
        if graphics != .kitty { box.height -= box.height % SixelPicture.tall }
    }

    /// The longest side of a picture, in pixels. It is above any thumbnail of the bundled sinks.
    private static let longestSide = 1_024

    private static func cell(_ size: winsize) -> PixelBox? {
        guard size.ws_row > 0, size.ws_col > 0 else { return nil }
        let cell = PixelBox(
            width: Int(size.ws_xpixel) / Int(size.ws_col), height: Int(size.ws_ypixel) / Int(size.ws_row))
        return cell.width > 0 && cell.height > 0 ? cell : nil
    }

    /// Asks the terminal of standard output; `nil` if it cannot show pictures, or if this process must not ask it.
    ///
    /// - Throws: `CancellationError`.
    static func ask() async throws -> PictureTerminal? {
        // The first call fails unless standard output is the terminal that controls this process. A process in the
        // background would be stopped.
        guard tcgetpgrp(STDOUT_FILENO) == getpgrp() else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
            let terminal = try? FileDescriptor.open("/dev/tty", .readWrite, options: .closeOnExec)
        else { return nil }
        defer { try? terminal.close() }
        do {
            var inquiry = TerminalInquiry()
            if let seconds = Environment.text("SLUICE_TERMINAL_SECONDS").flatMap(Int.init), (1...60).contains(seconds) {
                inquiry.patience = .seconds(seconds)
            }
            let answers = try await BlockingCall.run { [inquiry] in try inquiry.ask(terminal) }
            return PictureTerminal(answers, size)
        } catch is Errno {
            return nil
        }
    }

    /// The bytes that show a picture at the cursor, and the rows that it takes.
    func picture(_ pixels: Pixels) -> TerminalPicture {
        let (bytes, height) =
            switch graphics {
            case .kitty: (KittyPicture.bytes(pixels), pixels.height)
            case .sixel(let colors): SixelPicture.bytes(pixels, colors: colors)
            }
        return TerminalPicture(rows: (height + cell.height - 1) / cell.height, bytes: bytes)
    }
}
