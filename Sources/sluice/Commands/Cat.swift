import ArgumentParser
import GroupContainer
import Ingestion
import ShareModel
import SystemPackage

/// `sluice cat`: writes files of packages to standard output.
struct Cat: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Write a package's content to standard output.",
        discussion: """
            The bytes are those that came in. On a terminal, only text is written, and its control characters are shown \
            as escapes.
            """)

    @Argument(help: FileReference.help, transform: FileReference.init(parsing:))
    var references: [FileReference]

    @OptionGroup var container: ContainerOption

    func run() async throws {
        let console = Console()
        let root = try container.location()
        let reader = try CatalogReader(reading: root)
        let isTerminal = console.outputTerminal.columns != nil
        // All of them first, so that a wrong one is known before anything is written.
        let files = try references.map { reference in
            let file = try reference.numbered(in: root).file(in: reader)
            try file.requireContent()
            if isTerminal, !file.isText { throw refusal(file, reference) }
            return file
        }
        for file in files where !console.isOutputGone { try write(file, isTerminal: isTerminal, console) }
        try console.finish()
    }

    private func refusal(_ file: PackageFile, _ reference: FileReference) -> IngestionError {
        let type = file.type.map { ", but \($0)" } ?? ""
        let option = container.again.rendered(color: false)
        return IngestionError(
            .usage,
            "\(SafeText.escape(name: file.name)) is no text\(type), and a terminal cannot show it; "
                + "`sluice cat \(reference.text)\(option) > FILE` copies it, `sluice open \(reference.text)\(option)` opens it"
        )
    }

    private func write(_ file: PackageFile, isTerminal: Bool, _ console: Console) throws {
        let descriptor = try FileDescriptor.open(file.path, .readOnly)
        try descriptor.closeAfter {
            var text = TerminalText()
            // A piece for a terminal is one that can be escaped as a whole.
            var buffer = [UInt8](repeating: 0, count: isTerminal ? SafeText.limit / 2 : 1 << 20)
            while !console.isOutputGone {
                let count = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
                if count == 0 { break }
                console.output.write(bytes: isTerminal ? text.show(buffer[..<count])[...] : buffer[..<count])
            }
            console.output.write(bytes: text.finish()[...])
        }
    }
}
