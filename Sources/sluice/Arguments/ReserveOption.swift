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

/// A number of bytes as people write it: `4096`, `64M`, `1.5G` with powers of 1024.
enum ByteCount {
    private static let units: [Character: Double] = ["K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "T": 0x1p40]

    static func parse(_ text: String) throws -> Int64 {
        let upper = text.uppercased()
        let unit = upper.last.flatMap { units[$0] }
        let digits = unit == nil ? upper : String(upper.dropLast())
        guard let number = Double(digits), number >= 0, digits.allSatisfy({ $0.isNumber || $0 == "." }),
            let bytes = Int64(exactly: (number * (unit ?? 1)).rounded())
        else { throw ValidationError("'\(text)' is no size; write 4096, 64M or 1.5G.") }
        return bytes
    }
}
