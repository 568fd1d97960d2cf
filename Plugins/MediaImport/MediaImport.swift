import Glibc
import SinkKit
import SinkTools

/// Reads what sound and films say about themselves: duration, codecs, title, artist, date, place, chapters, lyrics.
///
/// It starts ffprobe for each content. A file that ffprobe cannot read counts as delivered, because the container keeps
/// the content anyway. In its metadata, `problem` has the reason, `damaged` is true if the file is broken, and TagLib finds
/// the tags.
@main struct MediaImport: Sink {
    static let id = "media-import"
    static let version = "0.1.0"
    /// Limits of this process, which ffprobe inherits.
    static let limits = ProcessLimits(processorSeconds: 20, memory: 1 << 30)

    mutating func configure(_ configuration: JSONValue) throws {
        try Self.limits.capMemory()
    }

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        let (part, path) = try delivery.contentFile(for: Self.id)
        let descriptor = try openRegularFile(path)
        defer { close(descriptor) }
        try Self.limits.allowMoreTime()
        var findings = Findings()
        var products: [Product] = []
        switch try FFprobe.describe(descriptor) {
        case .described(var media, let complaint):
            if media.readers.first == "mov" { media.assetTags = AssetTags.read(descriptor) }
            findings = Findings(media, type: part.type)
            if media.movie == nil, media.sound == nil { findings.set("problem", "it has neither sound nor pictures") }
            if let complaint { findings.setDamaged("ffprobe: \(complaint)") }
            products = try writeLyrics(media.tags, in: delivery.out, &findings)
        case .unreadable(let problem, let isDamaged):
            let tags = MediaDescription(format: MediaDescription.Format(tags: FileTags.read(descriptor)))
            findings = Findings(tags, type: part.type)
            findings.set("problem", problem)
            if isDamaged { findings["damaged"] = true }
        }
        return .delivered(metadata: findings.json, products: products)
    }

    private func writeLyrics(_ tags: MediaTags, in out: String, _ findings: inout Findings) throws -> [Product] {
        guard let lyrics = tags.first(["lyrics", "unsyncedlyrics", "unsynced lyrics"]) else { return [] }
        var text = ProductText()
        text.append(lines: lyrics)
        return try text.write(in: out, &findings, without: "its lyrics have no word")
    }
}
