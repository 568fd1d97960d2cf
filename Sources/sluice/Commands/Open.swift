import ArgumentParser
import Glibc
import GroupContainer
import Ingestion
import ShareModel
import SystemPackage

/// `sluice open`: opens a file of a package in the desktop's program for its type.
struct Open: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a package's content in the program for its type.",
        discussion: """
            The program gets a path with the file's name, below run/open in the container. It can only read the file, \
            unless you are root: then it could change the stored content. A link opens as a web page. The exit status is that of the program.
            """)

    @Argument(help: FileReference.help, transform: FileReference.init(parsing:))
    var reference: FileReference

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp("The program to open it with.", valueName: "program"))
    var program = "xdg-open"

    @OptionGroup var container: ContainerOption

    func run() async throws {
        let root = try container.location()
        let reader = try CatalogReader(reading: root)
        let reference = try self.reference.numbered(in: root)
        let files = try reader.files(of: reference.id)
        let file = try reference.file(in: reader)
        try file.requireContent()
        let target =
            try Self.address(file, files.receipt)
            ?? NamedFiles(opening: root).path(of: file, package: files.receipt.packageID).string
        throw Self.start(program, target)
    }

    /// The longest file that is read for a web address, in bytes.
    private static let longestLink = 8_192

    /// The web address of a link; `nil` for other content. Only `http` and `https` are opened as addresses, because a
    /// sender could name a program's own scheme.
    private static func address(_ file: PackageFile, _ receipt: Receipt) throws -> String? {
        guard file.type == .uriList, file.size <= longestLink, case .part = file.role else { return nil }
        let descriptor = try FileDescriptor.open(file.path, .readOnly)
        let text = try descriptor.closeAfter {
            var buffer = [UInt8](repeating: 0, count: longestLink)
            let count = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
        // RFC 2483: lines that begin with a number sign are comments.
        let line = text.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") }
        return line.map(String.init).flatMap { line in
            ["http://", "https://"].contains { line.lowercased().hasPrefix($0) } ? line : nil
        }
    }

    /// Replaces this process with the program, and returns only an error.
    private static func start(_ program: String, _ target: String) -> IngestionError {
        // This process ignores them, and the program would inherit that.
        for name in [SIGPIPE, SIGXFSZ] { signal(name, SIG_DFL) }
        let words = [strdup(program), strdup(target), nil]
        execvp(program, words)
        let why = errno == ENOENT ? "it is not installed" : Errno(rawValue: errno).description
        let remedy = (program == "xdg-open" ? "install xdg-utils, or " : "") + "name another program with --with"
        return IngestionError(.usage, "\(program) cannot be started: \(why); \(remedy)")
    }
}
