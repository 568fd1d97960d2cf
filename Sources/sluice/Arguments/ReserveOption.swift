import ArgumentParser
import Ingestion

/// The option of commands that write content.
struct ReserveOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What is left free on the container's disk, such as 500M.",
            discussion: "A number of bytes, or one with K, M, G or T (powers of 1024). Default: 64M.",
            valueName: "size"),
        transform: ByteCount.parse)
    var reserve: Int64?

    /// Sets what was given; without it, the default holds.
    func set(_ options: inout IngestOptions) {
        guard let reserve else { return }
        options.reserve.bytes = reserve
        if reserve == 0 { options.reserve.files = 0 }
    }
}
