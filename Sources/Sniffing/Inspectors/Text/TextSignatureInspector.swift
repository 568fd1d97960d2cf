internal import Formats
internal import ShareModel

/// Text formats by the words that they begin with, behind a byte order mark and blank lines, and what has to be behind
/// them. Some go on as something else than text, and are known from nothing.
struct TextSignatureInspector: Inspector {
    let starts: Set<MediaType> = [.unknown, .plainText]
    let concludes = Set(signatures.map(\.type))

    static let signatures = TextSignatures.all + DrawingSignatures.all

    /// By their first byte, in either case; those in front that may go on as anything.
    private static let byFirstByte = table(signatures)
    private static let binary = table(signatures.filter(\.allowsBinary))

    private static func table(_ signatures: [TextSignature]) -> [[TextSignature]] {
        var table = [[TextSignature]](repeating: [], count: 256)
        for signature in signatures {
            let first = signature.words.utf8Start.pointee
            table[Int(first)].append(signature)
            if signature.ignoresCase, first.isLetter { table[Int(first & 0xDF)].append(signature) }
        }
        return table
    }

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let first = sample.start.first else { return nil }
        if let found = Self.find(in: Self.binary[Int(first)], .init(bytes: sample.start, offset: 0)) { return found }
        guard let text = try sample.text(), text.firstWord < text.bytes.count else { return nil }
        let place = TextSignature.Place(bytes: text.bytes, offset: text.firstWord)
        return Self.find(in: Self.byFirstByte[Int(text.bytes[text.firstWord])], place)
    }

    private static func find(in signatures: [TextSignature], _ place: TextSignature.Place) -> Finding? {
        guard let found = signatures.first(where: { $0.matches(place) }) else { return nil }
        let confidence: Confidence = found.check == nil ? .likely : .certain
        return Finding(found.type, Evidence("words", found.name, at: Int64(place.offset)), confidence)
    }
}
