internal import Formats
internal import ShareModel

/// Recognizes text formats by their first words, after a byte order mark and blank lines, and by the text that follows.
/// Some formats continue with binary data; these start from unknown content.
struct TextSignatureInspector: Inspector {
    let starts: Set<MediaType> = [.unknown, .plainText]
    let concludes = Set(signatures.map(\.type))

    static let signatures = TextSignatures.all + DrawingSignatures.all

    /// The signatures by their first byte, in either case; and those that allow binary data after the words.
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
