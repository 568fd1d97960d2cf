internal import ShareModel

/// Binary formats by the bytes that they begin with, and a look at the structure behind them.
struct SignatureInspector: Inspector {
    /// All signatures, by format. Where several match, the first whose structure agrees is taken.
    static let signatures: [Signature] = [
        CameraSignatures.all, ImageSignatures.all, PictureSignatures.all, GraphicsSignatures.all, AudioSignatures.all,
        ModuleSignatures.all, VideoSignatures.all, FontSignatures.all, ExecutableSignatures.all,
        DocumentSignatures.all, DataSignatures.all, ScienceSignatures.all, SecuritySignatures.all,
        // Volumes before archives: a disk image may begin as a compressed file does.
        VolumeSignatures.all, ArchiveSignatures.all,
    ].flatMap { $0 }

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
        let start = sample.start
        guard let first = start.first else { return nil }
        for signature in Self.byFirstByte[Int(first)] where signature.matches(start) {
            if let finding = try Self.finding(signature, sample) { return finding }
        }
        for signature in Self.further where signature.matches(start) {
            if let finding = try Self.finding(signature, sample) { return finding }
        }
        return nil
    }

    private static func finding(_ signature: Signature, _ sample: Sample) throws -> Finding? {
        let isConsistent = try signature.isConsistent?(sample) ?? true
        guard let confidence = isConsistent ? signature.confidence : signature.damaged else { return nil }
        return Finding(
            signature.type, Evidence("signature", signature.name, at: Int64(signature.offset)), confidence)
    }
}
