internal import Formats
internal import ShareModel

/// Recognizes RIFF files by their form (Microsoft's multimedia programming interface 1.0, 2), including `RIFX`, `RF64`
/// and `BW64` (ITU-R BS.2088). The forms are WAVE, AVI, WebP (RFC 9649), animated cursors, MIDI, Corel's drawings,
/// SoundFont 2 and QCELP (RFC 3625).
struct RIFFInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes = Set(rows.map(\.type)).union(["application/vnd.corel-draw"])

    private struct Row {
        var form: StaticString
        var type: MediaType
        /// The names that the first chunk can have; if empty, any printable name.
        var chunks: [StaticString] = []
    }

    private static let magic: [StaticString] = ["RIFF", "RIFX", "RF64", "BW64"]
    private static let rows = [
        Row(form: "WAVE", type: "audio/vnd.wave"),
        Row(form: "AVI ", type: "video/x-msvideo", chunks: ["LIST", "JUNK"]),
        Row(form: "AVIX", type: "video/x-msvideo", chunks: ["LIST", "JUNK"]),
        Row(form: "WEBP", type: "image/webp", chunks: ["VP8 ", "VP8L", "VP8X"]),
        Row(form: "ACON", type: "application/x-navi-animation"),
        Row(form: "RMID", type: "audio/midi", chunks: ["data", "LIST"]),
        Row(form: "RMP3", type: "audio/mpeg"),
        Row(form: "sfbk", type: "audio/x-sfbk", chunks: ["LIST"]),
        Row(form: "DLS ", type: "audio/dls"),
        Row(form: "QLCM", type: "audio/qcelp", chunks: ["fmt "]),
        Row(form: "RDIB", type: "image/bmp"),
        Row(form: "CMX1", type: "image/x-cmx"),
    ]

    func inspect(_ sample: Sample) throws -> Finding? {
        let start = sample.start
        guard start.first == UInt8(ascii: "R") || start.first == UInt8(ascii: "B"),
            Self.magic.contains(where: { start.has($0, at: 0) }), start.isPrintable(8, 4)
        else { return nil }
        if start.has("CDR", at: 8) || start.has("cdr", at: 8) {
            return Finding("application/vnd.corel-draw", Evidence("RIFF", "form CDR", at: 8))
        }
        guard let row = Self.rows.first(where: { start.has($0.form, at: 8) }) else { return nil }
        // A file that is truncated after its form still has the stated type.
        let isWhole = row.chunks.isEmpty ? start.isPrintable(12, 4) : row.chunks.contains { start.has($0, at: 12) }
        return Finding(row.type, Evidence("RIFF", "form \(row.form)", at: 8), isWhole ? .certain : .likely)
    }
}
