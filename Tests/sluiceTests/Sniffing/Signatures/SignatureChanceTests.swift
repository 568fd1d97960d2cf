import Formats
import ShareModel
import Testing

@testable import Sniffing

@Suite("Signatures and chance")
struct SignatureChanceTests {
    /// Random bytes never have a certain type. A third of the inputs begins with zeros, as many headers do.
    @Test func nothingIsCertainOfNoise() throws {
        let sniffer = SignatureSniffer()
        var generator = SeededGenerator(seed: 11)
        for round in 0..<200_000 {
            var bytes = generator.bytes(64 + Int(generator.next() % (round % 64 == 0 ? 4033 : 65)))
            if round % 3 == 0 { for place in 0..<8 where bytes[place] > 60 { bytes[place] = 0 } }
            let found = try sniffer.identify(bytes)
            if found?.confidence == .certain { Issue.record("\(bytes.prefix(32)) is \(String(describing: found))") }
        }
    }

    /// Truncated and changed headers must end, within the read budget.
    @Test func survivesMutations() throws {
        let sniffer = SignatureSniffer()
        var generator = SeededGenerator(seed: 12)
        for seed in seeds {
            for count in 0...min(seed.count, 96) { _ = try sniffer.identify(Array(seed.prefix(count))) }
            for _ in 0..<400 { _ = try sniffer.identify(generator.mutation(of: seed)) }
        }
    }

    private let seeds: [[UInt8]] = [
        header("89504E470D0A1A0A 0000000D 'IHDR' *17 00000008 'acTL' *12"),
        header("00000200 0100 10100000 *4 28000000 16000000"),
        header(
            "49492A00 08000000 0300 0601 0300 01000000 23800000 0F01 0200 06000000 26000000 4A01 0400 02000000 08000000"
        ),
        header(
            "00000014 'ftypisom' 00000000 'isom' 00000030 'moov' 00000028 'trak' 00000020 'mdia' 00000018 'hdlr' *8 'soun'"
        ),
        header("1A45DFA3 8B 4282 88 'matroska' 18538067 FF 1654AE6B 85 AE 83 83 81 02"), audioFrame + audioFrame,
        adtsFrame + adtsFrame,
        header("'OggS' 00 02 *20 01 07 01 'vorbis' 'OggS' 00 02 *20 01 07 80 'theora'"),
        header("'ID3' 0300 00 0000000A *10 'fLaC'"),
        header(
            "3026B2758E66CF11A6D900AA0062CE6C 1E00000000000000 *6 9107DCB7B7A9CF11 *8 5000000000000000 C0EF19BC4D5BCF11"
        ),
        header("7F454C46 02010100 *8 0300 3E00 *12 4000000000000000 *16 3800 0200 *6 02000000 *4 4000000000000000"),
        header("'MZ' *58 40000000 'PE' 0000"), header("00010000 0002 0010 *4 'head' *4 0000001C 00000036 'cmap'"),
        header("30820200 06092A864886F70D010702 A08201F1 308201ED 020101 3100 300B 06092A864886F70D010701"),
        header("99010D 04 5F000000 01 0800"), header("03 7B0101 01000000 4100 0B00 *20 'NAME' *7 'C' *20 0D"),
        header("'P6' 0A '4' 20 '4' 0A '255' 0A"), header("0B77 0000 10 40 *600 0B77"), header("7FFE8001 FC3CB7F0 00"),
    ]
}

/// The conclusion of the stages before libmagic.
private struct SignatureSniffer {
    let inspectors = Inspectors.all.starting(from: .unknown)

    func identify(_ bytes: [UInt8]) throws -> Finding? {
        let content = ContentBytes(bytes)
        let sample = try Sample(content)
        defer { #expect(content.usage.bytes <= 384 << 10) }
        for inspector in inspectors {
            if let finding = try inspector.inspect(sample) { return finding }
        }
        return nil
    }
}
