internal import Formats
internal import ShareModel

/// Recognizes scripts by the interpreter in their first line: execve(2), "Interpreter scripts"; POSIX `env`, with the
/// common option `-S`. The rest may be binary, because installers contain their archives.
struct ScriptInspector: Inspector {
    let starts: Set<MediaType> = [.plainText, .unknown]
    let concludes = Set(types.values)

    /// The length of the line that Linux reads, in bytes.
    private static let lineLimit = 256

    /// Types by the name of the interpreter without its version: `python` for `python3.11`.
    private static let types: [String: MediaType] = [
        "sh": shell, "bash": shell, "dash": shell, "ash": shell, "ksh": shell, "mksh": shell, "pdksh": shell,
        "zsh": shell, "rbash": shell, "busybox": shell, "bats": shell, "csh": "application/x-csh",
        "tcsh": "application/x-csh", "fish": "application/x-fishscript", "python": python, "pypy": python,
        "ipython": python, "perl": "application/x-perl", "ruby": "application/x-ruby", "jruby": "application/x-ruby",
        "php": "application/x-php", "node": script, "nodejs": script, "deno": script, "bun": script, "gjs": script,
        "osascript": "text/x-applescript", "lua": "text/x-lua", "luajit": "text/x-lua", "tclsh": "text/x-tcl",
        "wish": "text/x-tcl", "expect": "text/x-tcl", "awk": "application/x-awk", "gawk": "application/x-awk",
        "mawk": "application/x-awk", "nawk": "application/x-awk", "make": "text/x-makefile",
        "gmake": "text/x-makefile", "swift": "text/x-swift", "groovy": "text/x-groovy", "scala": "text/x-scala",
        "guile": "text/x-scheme", "pwsh": "text/x-powershell", "Rscript": "text/x-rsrc",
    ]
    private static let shell: MediaType = "application/x-shellscript"
    private static let python: MediaType = "text/x-python"
    private static let script: MediaType = "application/javascript"

    func inspect(_ sample: Sample) throws -> Finding? {
        // 0xEF is the first byte of a byte order mark in UTF-8.
        guard sample.start.first == UInt8(ascii: "#") || sample.start.first == 0xEF else { return nil }
        let start = sample.start.has("\u{FEFF}", at: 0) ? 3 : 0
        guard sample.start.has("#!", at: start) else { return nil }
        var lines = TextLines(Array(sample.start.prefix(start + Self.lineLimit)), from: start)
        guard let line = lines.next(), let name = Self.interpreter(line.dropFirst(2)) else { return nil }
        let stem = name.prefix { $0.isLetter || $0 == "_" }
        let rest = name.dropFirst(stem.count)
        guard rest.allSatisfy({ $0.isNumber || $0 == "." || $0 == "-" || $0 == "w" }) else { return nil }
        guard let type = Self.types[String(stem)] else { return nil }
        return Finding(type, Evidence("script", "interpreter \(stem)", at: Int64(start)))
    }

    /// The last component of the program's path, or of the program that `env` starts.
    private static func interpreter(_ line: ArraySlice<UInt8>) -> String? {
        guard line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 }) else { return nil }
        let words = line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 })
        guard let program = words.first.map(lastPart) else { return nil }
        guard program == "env" else { return program }
        return words.dropFirst().first { $0.first != UInt8(ascii: "-") && !$0.contains(UInt8(ascii: "=")) }
            .map(lastPart)
    }

    private static func lastPart(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    }
}
