internal import Formats

/// The tracks of an ISO base media file, by their handlers (ISO 14496-12, 8.4.3). They are read only if the movie box
/// is near the beginning.
enum MovieTracks {
    private static let boxLimit = 16
    private static let trackLimit = 32
    /// The size limit for the movie box, and for its offset, in bytes.
    private static let movieLimit = 48 << 10

    /// Whether the file has sound but no pictures; `false` if this is not cheap to find out.
    static func areAllSound(_ sample: Sample, after first: Int) throws -> Bool {
        guard let movie = try movieBox(sample, after: first) else { return false }
        var hasSound = false
        var place = 8
        for _ in 0..<boxLimit + trackLimit {
            guard let size = movie.big(place, 4) else { return hasSound && place == movie.count }
            guard size >= 8, place + size <= movie.count else { return false }
            if movie.has("trak", at: place + 4) {
                switch handler(movie, from: place + 8, to: place + size) {
                case "soun": hasSound = true
                case "vide", "pict", nil: return false
                default: break
                }
            }
            place += size
        }
        return false
    }

    /// The complete box `moov`, if it is near the beginning.
    private static func movieBox(_ sample: Sample, after first: Int) throws -> [UInt8]? {
        var place = first
        for _ in 0..<boxLimit {
            let header = try sample.content.read(at: Int64(place), count: 8)
            guard let size = header.big(0, 4), size >= 8, place < movieLimit else { return nil }
            if header.has("moov", at: 4) {
                guard size <= movieLimit else { return nil }
                let movie = try sample.content.read(at: Int64(place), count: size)
                return movie.count == size ? movie : nil
            }
            place += size
        }
        return nil
    }

    /// `trak` contains `mdia`, which contains `hdlr`. Its type is 8 bytes after its header.
    private static func handler(_ movie: [UInt8], from first: Int, to end: Int) -> String? {
        guard let media = box("mdia", movie, first, end), let handler = box("hdlr", movie, media.0, media.1),
            movie.isPrintable(handler.0 + 8, 4)
        else { return nil }
        return String(decoding: movie[handler.0 + 8..<handler.0 + 12], as: UTF8.self)
    }

    private static func box(_ name: StaticString, _ movie: [UInt8], _ first: Int, _ end: Int) -> (Int, Int)? {
        var place = first
        for _ in 0..<boxLimit {
            guard place + 8 <= end, let size = movie.big(place, 4), size >= 8, place + size <= end else { return nil }
            if movie.has(name, at: place + 4) { return (place + 8, place + size) }
            place += size
        }
        return nil
    }
}
