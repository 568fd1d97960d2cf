internal import Formats
internal import ShareModel

/// RIFF files by their form (Microsoft's multimedia programming interface 1.0, 2), of either byte order and size:
/// `RIFX`, `RF64` and `BW64` (ITU-R BS.2088). WAVE, AVI, WebP (RFC 9649), animated cursors, MIDI, Corel's drawings,
/// SoundFont 2, QCELP (RFC 3625).
struct RIFFInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes = Set(rows.map(\.type)).union(["application/vnd.corel-draw"])

    private struct Row {
        var form: StaticString
        var type: MediaType
        /// What the first chunk is, of any; none where all printable names will do.
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
        // A file that was cut off behind its form is still what it says.
        let isWhole = row.chunks.isEmpty ? start.isPrintable(12, 4) : row.chunks.contains { start.has($0, at: 12) }
        return Finding(row.type, Evidence("RIFF", "form \(row.form)", at: 8), isWhole ? .certain : .likely)
    }
}
