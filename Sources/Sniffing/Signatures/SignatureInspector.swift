internal import ShareModel

/// Recognizes binary formats by their first bytes, and by the structure after them.
struct SignatureInspector: Inspector {
    /// All signatures. If several match, the first with an agreeing structure counts.
    static let signatures: [Signature] = [
        // Cameras come before images, because a CR2 file starts like a TIFF file.
        CameraSignatures.all, ImageSignatures.all, PictureSignatures.all, GraphicsSignatures.all, AudioSignatures.all,
        ModuleSignatures.all, VideoSignatures.all, FontSignatures.all, ExecutableSignatures.all,
        DocumentSignatures.all, DataSignatures.all, ScienceSignatures.all, SecuritySignatures.all,
        // Volumes come before archives, because a disk image may start like a compressed file.
        VolumeSignatures.all, ArchiveSignatures.all,
    ].flatMap { $0 }

    // Most signatures start at offset 0. One lookup by the first byte excludes nearly all of them.
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
        // Last, because it looks at all of the start.
        if signature.needsControl, !sample.start.hasControl(within: sample.start.count) { return nil }
        return Finding(
            signature.type, Evidence("signature", signature.name, at: Int64(signature.offset)), confidence)
    }
}
