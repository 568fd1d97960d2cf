import Glibc
import ShareModel
import SystemPackage

/// The program's arguments without loss: a name is bytes, and the parser of arguments knows strings only.
///
/// Each byte that is not UTF-8 becomes a private scalar, U+10FF00 plus the byte, before parsing; ``path(_:)`` takes it
/// back. So that this can be undone exactly, those 256 scalars themselves are taken apart into their bytes as well.
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

    /// Between the paths of a run that is one argument: no argument of a process holds it.
    static let fold: Character = "\0"
    /// The commands whose arguments are paths.
    private static let foldedCommands: Set<String> = ["ingest", "inspect", "identify"]
    /// Shorter runs stay as they are.
    private static let foldedLength = 64

    /// The arguments with a long run of paths at their end as one argument: what the parser of arguments needs for each
    /// grows with their number, to minutes for the 50,000 files of a shell's `*`.
    static func folded(_ arguments: [String]) -> [String] {
        guard let command = arguments.first, foldedCommands.contains(command) else { return arguments }
        let run = arguments.reversed().prefix { !$0.isEmpty && !$0.hasPrefix("-") }.count
        // The first two may be the command itself, and the value of an option.
        guard run > foldedLength else { return arguments }
        let start = arguments.count - run + 2
        return arguments[..<start] + [arguments[start...].joined(separator: String(fold))]
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
