internal import Formats

/// The tracks of an ISO base media file, by their handlers (ISO 14496-12, 8.4.3). The movie box may be behind the
/// media.
enum MovieTracks {
    private static let boxLimit = 16
    /// The largest number of boxes in the movie box. Files of sound alone have few tracks. A file must not spend the
    /// budget here, because the search for its end needs a part of it.
    private static let movieLimit = 24
    /// The part of a box that is read, in bytes. The handler comes before the tables of samples, which are large.
    private static let window = 2 << 10

    /// Whether the file has sound but no pictures; `false` if a track does not say what it is.
    static func areAllSound(_ sample: Sample, after first: Int) throws -> Bool {
        guard let movie = try movieBox(sample, after: Int64(first)) else { return false }
        var hasSound = false
        var place = movie.lowerBound
        for _ in 0..<movieLimit where place < movie.upperBound {
            // One read for the header and for what follows it.
            let box = try sample.content.read(at: place, count: Int(min(Int64(window), movie.upperBound - place)))
            guard let size = box.big(0, 4), size >= 8, Int64(size) <= movie.upperBound - place else { return false }
            if box.has("trak", at: 4) {
                switch handler(Array(box[8..<min(size, box.count)])) {
                case "soun": hasSound = true
                case "vide", "pict", nil: return false
                default: break
                }
            }
            place += Int64(size)
        }
        return hasSound && place == movie.upperBound
    }

    /// The inside of the box `moov`.
    private static func movieBox(_ sample: Sample, after first: Int64) throws -> Range<Int64>? {
        var place = first
        for _ in 0..<boxLimit {
            let header = try sample.content.read(at: place, count: 16)
            guard let short = header.big(0, 4) else { return nil }
            // ISO 14496-12, 4.2: size 1 means that a size of eight bytes follows the name.
            let head = short == 1 ? 16 : 8
            guard let size = short == 1 ? header.big(8, 8) : short, size >= head,
                Int64(size) <= sample.content.size - place
            else { return nil }
            if header.has("moov", at: 4) { return place + Int64(head)..<place + Int64(size) }
            place += Int64(size)
        }
        return nil
    }

    /// `trak` contains `mdia`, which contains `hdlr`. Its type is 8 bytes after its header.
    private static func handler(_ track: [UInt8]) -> String? {
        guard let media = inside("mdia", track, 0..<track.count), let handler = inside("hdlr", track, media),
            track.isPrintable(handler.lowerBound + 8, 4)
        else { return nil }
        return String(decoding: track[handler.lowerBound + 8..<handler.lowerBound + 12], as: UTF8.self)
    }

    /// The inside of the first box with this name, as far as it was read.
    private static func inside(_ name: StaticString, _ track: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        var place = range.lowerBound
        for _ in 0..<boxLimit {
            guard place + 8 <= range.upperBound, let size = track.big(place, 4), size >= 8 else { return nil }
            let end = min(place + size, range.upperBound)
            if track.has(name, at: place + 4) { return place + 8..<end }
            place = end
        }
        return nil
    }
}
