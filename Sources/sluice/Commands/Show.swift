import ArgumentParser
import GroupContainer
import Ingestion
import ShareModel

/// `sluice show`: prints everything that the container knows about one package.
struct Show: ContainerCommand {
    static let configuration = CommandConfiguration(abstract: "Tell the whole story of a package.")

    @Argument(
        help: ArgumentHelp(
            "The id of a package or of one of its deliveries, enough of its beginning, or a number in the last list.",
            valueName: "id"),
        transform: PackageID.parse)
    var id: String

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print the receipt as JSON.")
    var json = false

    func run() async throws {
        let console = Console()
        var options = IngestOptions(container: try container.location())
        SinkPlaces().set(&options)
        let stored = try CatalogReader(reading: options.container)
            .receipt(ResultNumbers.id(of: id, in: options.container.absolute))
        let receipt = Pipeline(options: options).namingAbsentSinks(in: stored)
        if json {
            try console.print(json: receipt)
        } else {
            let layout = ContainerLayout(root: options.container)
            let tree = ReceiptTree(receipt: receipt, containerOption: container.again) {
                ShellQuote.quote(layout.object($0))
            }
            console.print(tree.lines)
        }
        try console.finish()
    }
}
