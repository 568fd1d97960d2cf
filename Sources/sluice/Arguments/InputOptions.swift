import ArgumentParser
import Ingestion
import SystemPackage

/// The arguments that name the input of `ingest` and `inspect`.
struct InputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            Files, folders, web addresses, or '-' for standard input. A file that is named here is a package of its \
            own; in a folder, files that belong together are one.
            """,
            valueName: "path"))
    var paths: [PathsArgument] = []

    @Option(help: ArgumentHelp("Read the paths from a file; '-' for standard input.", valueName: "file"))
    var filesFrom: PathArgument?

    @Flag(name: [.customShort("0"), .long], help: "In --files-from, a zero byte ends each path, not a line feed.")
    var null = false

    @Option(help: ArgumentHelp("Take standard input in as one file of this name.", valueName: "name"))
    var name: String?

    @Option(help: "The title of packages that have none.")
    var title: String?

    @Option(help: "The text of packages that have none: a caption. Without a PATH, the text is the input.")
    var text: String?

    @Option(
        help: ArgumentHelp(
            "Leave out what a walk over a folder finds under this name: *.tmp, build/, /notes/*.md. Repeatable.",
            discussion: "The syntax is that of gitignore. A file .sluiceignore in a folder lists such patterns.",
            valueName: "pattern"))
    var exclude: [String] = []

    func validate() throws {
        if !paths.isEmpty, filesFrom != nil {
            throw ValidationError("Name the inputs in one way: PATH or --files-from.")
        }
        // A replaced byte fits no name, so the pattern would leave nothing out.
        if exclude.contains(where: { String(validating: RawArguments.bytes($0), as: UTF8.self) == nil }) {
            throw ValidationError("--exclude takes text in UTF-8. A file .sluiceignore takes any bytes.")
        }
        if null, filesFrom == nil { throw ValidationError("-0 needs --files-from FILE.") }
        if let name {
            if name.isEmpty { throw ValidationError("--name needs a name, such as report.pdf.") }
            guard addresses.isEmpty || addresses == [.standardInput], filesFrom == nil else {
                throw ValidationError("--name names standard input, so the only PATH is '-'.")
            }
        }
        _ = try input
    }

    /// The input that the arguments name; without any, standard input.
    ///
    /// - Throws: a usage error if standard input is a terminal, where the command would wait in silence.
    var input: IngestInput {
        get throws {
            if let filesFrom { return .list(filesFrom.path, separator: null ? 0 : UInt8(ascii: "\n")) }
            let addresses = addresses
            if addresses.isEmpty {
                if name == nil, let text = Self.given(text) {
                    return .package(.note(title: Self.given(title), text: text))
                }
                if Terminal.inputIsTerminal {
                    throw ValidationError("Name a PATH to take in, or '-' for standard input.")
                }
            }
            guard addresses.contains(.standardInput) || addresses.isEmpty else { return .addresses(addresses) }
            guard addresses.count <= 1 else { throw Self.standardInputIsNotAlone }
            return .standardInput(name: name.map(Self.plain))
        }
    }

    static let standardInputIsNotAlone = ValidationError(
        "'-' means standard input and must be the only path. For a file of that name: ./-")

    /// Sets the title and the text of packages that have none.
    func set(_ options: inout IngestOptions) {
        options.title = Self.given(title)
        options.text = Self.given(text)
        options.excluded = exclude.map(Self.plain)
    }

    /// The text of an option; `nil` if it is empty.
    static func given(_ option: String?) -> String? {
        option.flatMap { $0.isEmpty ? nil : plain($0) }
    }

    /// The argument as text. Bytes that are not UTF-8 become replacement characters.
    static func plain(_ argument: String) -> String {
        String(decoding: RawArguments.bytes(argument), as: UTF8.self)
    }

    private var addresses: [InputAddress] { paths.flatMap(\.addresses) }
}

extension InputAddress {
    /// What the argument `-` is read as.
    static let standardInput = InputAddress.path("-")
}
