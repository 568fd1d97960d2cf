import Glibc
import ShareModel
import SystemPackage

/// The program's arguments, without loss of bytes. ArgumentParser accepts only strings, but a file name is any bytes.
///
/// Before parsing, each byte that is not UTF-8 becomes a private scalar, U+10FF00 plus the byte; ``path(_:)`` reverses
/// that. An argument may contain one of those 256 scalars itself. Its UTF-8 bytes are then replaced in the same way, or
/// the reversal would be ambiguous.
enum RawArguments {
    private static let first: UInt32 = 0x10FF00
    private static let scalars = first...(first + 0xFF)

    /// The arguments of this process, without the program's own name.
    static var ofProcess: [String] {
        UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst().map { argument in
            guard let argument else { return "" }
            return text(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
        }
    }

    /// Separates the paths in a folded argument. No argument of a process can contain a zero byte.
    static let fold: Character = "\0"
    /// The commands whose arguments are paths.
    private static let foldedCommands: Set<String> = ["ingest", "inspect", "identify"]
    /// At most this many paths are left unfolded.
    private static let foldedLength = 64

    /// The arguments, with the paths at their end joined into one argument if there are many.
    ///
    /// ArgumentParser's time for each argument grows with their number: it needs minutes for the 50,000 files of a
    /// shell's `*`.
    static func folded(_ arguments: [String]) -> [String] {
        if let command = arguments.first, hasMinusWords(command) { return minusWordsLast(arguments) }
        guard let command = arguments.first, foldedCommands.contains(command) else { return arguments }
        let run = arguments.reversed().prefix { !$0.isEmpty && !$0.hasPrefix("-") }.count
        // The first two of the run may be the command itself and the value of an option, so they are not folded.
        guard run > foldedLength else { return arguments }
        let start = arguments.count - run + 2
        return arguments[..<start] + [arguments[start...].joined(separator: String(fold))]
    }

    /// Whether `-word` is an argument of this command, and no flag.
    static func hasMinusWords(_ command: String) -> Bool { ["search", "tag", "list", "deliver"].contains(command) }

    /// The arguments with those like `-word` behind `--`, where ArgumentParser takes them for no flags.
    private static func minusWordsLast(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        func isWord(_ argument: String) -> Bool {
            argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.count > 1 && argument != "-h"
        }
        let words = arguments[..<end].filter(isWord)
        guard !words.isEmpty else { return arguments }
        return arguments[..<end].filter { !isWord($0) } + ["--"] + arguments[end...].dropFirst() + words
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var result = String.UnicodeScalarView()
        for run in UTF8Runs(bytes: Array(bytes)).runs {
            switch run {
            case .bytes(let bytes): result.append(contentsOf: bytes.compactMap(scalar))
            case .text(let text):
                for one in text.unicodeScalars {
                    guard scalars.contains(one.value) else {
                        result.append(one)
                        continue
                    }
                    result.append(contentsOf: UTF8.encode(one).map(Array.init)?.compactMap(scalar) ?? [])
                }
            }
        }
        return String(result)
    }

    static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar -> [UInt8] in
            if scalars.contains(scalar.value) { return [UInt8(scalar.value - first)] }
            return Array(String(scalar).utf8)
        }
    }

    static func path(_ text: String) -> FilePath { FilePath(bytes: bytes(text)) }

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar? { Unicode.Scalar(first + UInt32(byte)) }
}
