internal import ShareModel

/// Binary formats by the bytes that they begin with, and a look at the structure behind them.
struct SignatureInspector: Inspector {
    /// All signatures, by format.
    static let signatures = ImageSignatures.all + VolumeSignatures.all + ArchiveSignatures.all

    private static let byFirstByte: [[Signature]] = {
        var table = [[Signature]](repeating: [], count: 256)
        for signature in signatures where signature.offset == 0 {
            if let first = signature.bytes.first { table[Int(first)].append(signature) }
        }
        return table
    }()
    private static let further = signatures.filter { $0.offset > 0 }

    let starts: Set<MediaType> = [.unknown]
    let concludes = Set(signatures.map(\.type))

    func inspect(_ sample: Sample) throws -> Finding? {
        guard let first = sample.start.first else { return nil }
        for signature in Self.byFirstByte[Int(first)] where signature.matches(sample.start) {
            if let finding = try Self.finding(signature, sample) { return finding }
        }
        for signature in Self.further where signature.matches(sample.start) {
            if let finding = try Self.finding(signature, sample) { return finding }
        }
        return nil
    }

    private static func finding(_ signature: Signature, _ sample: Sample) throws -> Finding? {
        if let isConsistent = signature.isConsistent, try !isConsistent(sample) { return nil }
        let confidence: Confidence = signature.isConsistent == nil ? .likely : .certain
        return Finding(
            signature.type, Evidence("signature", signature.name, at: Int64(signature.offset)), confidence)
    }
}
