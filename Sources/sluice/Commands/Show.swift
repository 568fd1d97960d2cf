import ArgumentParser
import GroupContainer
import Ingestion
import ShareModel
import SystemPackage

/// `sluice show`: prints everything that the container knows about one package.
struct Show: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Tell the whole story of a package.",
        discussion: """
            A terminal that can show pictures (by kitty's graphics protocol, or sixels) shows the thumbnails that sinks \
            made. The command asks the terminal, and waits a second for one that does not answer.
            """)

    @Argument(
        help: ArgumentHelp(
            "The id of a package or of one of its deliveries, enough of its beginning, or a number in the last list.",
            valueName: "id"),
        transform: PackageID.parse)
    var id: String

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print the receipt as JSON.")
    var json = false

    @Flag(help: "Show no thumbnails, and do not ask the terminal.")
    var noPictures = false

    func run() async throws {
        let console = Console()
        var options = IngestOptions(container: try container.location())
        SinkPlaces().set(&options)
        let files = try CatalogReader(reading: options.container)
            .files(of: ResultNumbers.id(of: id, in: options.container.absolute))
        let receipt = Pipeline(options: options).explainingOpenDeliveries(in: files.receipt)
        if json {
            try console.print(json: receipt)
            return try console.finish()
        }
        let text = Text(receipt: receipt, root: options.container, containerOption: container.again)
        guard console.outputTerminal.mayShowPictures, !noPictures else { return try text.print(Thumbnails(), console) }
        // The signals are watched until the last byte is written, because a terminal may stop to take any.
        let end = await Interruption.watch(announce: { _ in }) { _ in
            try text.print(await Thumbnails(of: files), console)
        }
        // By then the modes of the terminal are as they were.
        if end.cause != nil { throw CancellationError() }
        try end.result.get()
    }

    /// The receipt as text.
    private struct Text {
        let receipt: Receipt
        let root: FilePath
        let containerOption: StyledLine

        func print(_ thumbnails: Thumbnails, _ console: Console) throws {
            let layout = ContainerLayout(root: root)
            var tree = ReceiptTree(receipt: receipt, containerOption: containerOption) {
                ShellQuote.quote(layout.object($0))
            }
            tree.thumbnails = thumbnails
            console.print(tree.lines + more(thumbnails))
            try console.finish()
        }

        private func more(_ thumbnails: Thumbnails) -> [StyledLine] {
            guard thumbnails.left > 0 else { return [] }
            let command: StyledLine = "sluice path \(ShortID.of(receipt.packageID))\(containerOption)"
            return ["\(Units.count(thumbnails.left, "more picture")): \(command: command)"]
        }
    }
}
