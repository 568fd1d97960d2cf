internal import Formats
internal import ShareModel

/// Recognizes Ogg files by the first packet of each stream (RFC 3533, section 6; RFC 5334, section 10; RFC 7845 for
/// Opus; OGM as its authors wrote it). A file with a movie stream is a movie, in any order of the streams.
struct OggInspector: Inspector {
    let starts: Set<MediaType> = [.unknown]
    let concludes = Set(rows.map(\.type)).union(["audio/ogg"])

    private struct Row {
        var packet: StaticString
        var type: MediaType
        var isMovie = false
    }

    private static let rows = [
        Row(packet: "vorbis", type: "audio/vorbis"),
        Row(packet: "OpusHead", type: "audio/opus"),
        Row(packet: "Speex   ", type: "audio/speex"),
        Row(packet: "FLAC", type: "audio/x-oggflac"),
        Row(packet: "fLaC", type: "audio/x-oggflac"),
        Row(packet: "theora", type: "video/ogg", isMovie: true),
        Row(packet: "BBCD", type: "video/ogg", isMovie: true),
        Row(packet: "daala", type: "video/ogg", isMovie: true),
        Row(packet: "OVP80", type: "video/ogg", isMovie: true),
        Row(packet: "video\u{0}", type: "video/ogg", isMovie: true),
    ]
    private static let pageLimit = 8
    private static let headerSize = 27

    func inspect(_ sample: Sample) throws -> Finding? {
        let start = sample.start
        guard start.has("OggS", at: 0), start.big(4, 1) == 0 else { return nil }
        var sound: Finding?
        var place = 0
        for _ in 0..<Self.pageLimit {
            // The first pages of all streams precede all other pages.
            guard start.has("OggS", at: place), let flags = start.big(place + 5, 1), flags & 2 != 0 || place == 0,
                let count = start.big(place + 26, 1)
            else { break }
            let packet = place + Self.headerSize + count
            if let row = Self.row(start, at: packet) {
                let finding = Finding(row.type, Evidence("Ogg", "first packet \(name(row))", at: Int64(packet)))
                if row.isMovie { return finding }
                sound = sound ?? finding
            }
            guard start.count >= packet else { break }
            place = packet + start[packet - count..<packet].reduce(0) { $0 + Int($1) }
        }
        return sound
    }

    private func name(_ row: Row) -> String { row.packet.description.filter { $0.isLetter } }

    /// Vorbis, Theora, Daala, FLAC and OGM have a byte before their name.
    private static func row(_ start: [UInt8], at place: Int) -> Row? {
        rows.first { start.has($0.packet, at: place) || start.has($0.packet, at: place + 1) }
    }
}
