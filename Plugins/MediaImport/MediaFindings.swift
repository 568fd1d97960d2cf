import SinkKit
import SinkTools

extension Findings {
    /// The findings of ffprobe's description. `type` is the type of the content.
    init(_ media: MediaDescription, type: String) {
        self.init()
        let tags = media.tags
        setTechnical(media, tags, type)
        set("title", tags.first(["title", "com.apple.quicktime.title"]))
        set(
            "artist",
            tags.first(["artist", "com.apple.quicktime.artist", "album_artist", "performer", "lead_performer"]))
        set("album", tags.first(["album", "com.apple.quicktime.album"]))
        let authors = tags.all(["composer", "author", "com.apple.quicktime.author", "writer", "director"])
        set("author", authors.joined(separator: ", "))
        set("subject", tags.first(["subject", "show"]))
        set("description", Self.description(tags))
        let subjects = tags.all(["genre", "com.apple.quicktime.genre", "keywords", "com.apple.quicktime.keywords"])
        set("keywords", list: subjects.flatMap { $0.split { ",;\0".contains($0) }.map(String.init) })
        self["date"] = Self.date(tags, isMovie: media.movie != nil).map(JSONValue.string)
        set("camera", Self.camera(tags))
        let place = tags.first(["com.apple.quicktime.location.iso6709", "location"])
        if let position = place.flatMap(MediaPosition.init) {
            self["latitude"] = .number(position.latitude)
            self["longitude"] = .number(position.longitude)
        }
        set("chapters", list: (media.chapters ?? []).compactMap { MediaTags($0.tags).first(["title"]) })
    }

    private mutating func setTechnical(_ media: MediaDescription, _ tags: MediaTags, _ type: String) {
        set("format", Self.format(media.readers, brand: tags.first(["major_brand"]), type))
        let durations = [media.format?.duration] + (media.streams ?? []).map(\.duration)
        self["duration"] = durations.lazy.compactMap { $0.flatMap(Self.seconds) }.first.map(JSONValue.number)
        set("video_codec", media.movie?.codec_name)
        set("audio_codec", media.sound?.codec_name)
        let languages = [media.sound, media.movie].compactMap { MediaTags($0?.tags).first(["language"]) }
        set("language", (languages + [tags.first(["language"])].compactMap(\.self)).first { $0 != "und" })
        guard let movie = media.movie else { return }
        if let width = movie.width, let height = movie.height, width > 0, height > 0 {
            let isTurned = Self.isOnItsSide(movie)
            self["width"] = .integer(Int64(isTurned ? height : width))
            self["height"] = .integer(Int64(isTurned ? width : height))
        }
        self["frame_rate"] = movie.avg_frame_rate.flatMap(Self.rate).map(JSONValue.number)
    }

    /// The first name of ffprobe's reader, except for readers of several formats.
    private static func format(_ readers: [Substring], brand: String?, _ type: String) -> String? {
        switch readers.first {
        case "mov": brand == nil || brand?.hasPrefix("qt") == true ? "mov" : "mp4"
        case "matroska": type.hasSuffix("webm") ? "webm" : "matroska"
        case let name?: String(name)
        case nil: nil
        }
    }

    /// The longest duration that is believed, in seconds: about 30 years.
    private static let maximumSeconds = 1e9
    /// The highest rate that is believed, in pictures a second.
    private static let maximumRate = 1_000.0

    private static func seconds(_ text: String) -> Double? {
        guard let value = Double(text), value.isFinite, value > 0, value < maximumSeconds else { return nil }
        return (value * 1000).rounded() / 1000
    }

    private static func rate(_ text: String) -> Double? {
        let parts = text.split(separator: "/").compactMap { Double($0) }
        guard parts.count == 2, parts[0] > 0, parts[1] > 0, parts[0] / parts[1] <= maximumRate else { return nil }
        return (parts[0] / parts[1] * 1000).rounded() / 1000
    }

    private static func isOnItsSide(_ movie: MediaDescription.Stream) -> Bool {
        let rotation = movie.side_data_list?.lazy.compactMap(\.rotation).first
        guard let degrees = rotation ?? MediaTags(movie.tags).first(["rotate"]).flatMap(Double.init) else {
            return false
        }
        return degrees.isFinite && abs(degrees.remainder(dividingBy: 180)) > 45
    }

    private static func description(_ tags: MediaTags) -> String? {
        let texts = tags.all([
            "description", "com.apple.quicktime.description", "synopsis", "comment", "com.apple.quicktime.comment",
            "subtitle",
        ])
        // A program may repeat a short description at the start of a long one.
        let different = texts.filter { text in !texts.contains { $0 != text && $0.contains(text) } }
        return different.isEmpty ? nil : different.joined(separator: "; ")
    }

    private static func camera(_ tags: MediaTags) -> String? {
        let make = tags.first(["com.apple.quicktime.make", "make", "com.android.manufacturer"])
        guard let model = tags.first(["com.apple.quicktime.model", "model", "com.android.model"]) else { return make }
        guard let make, !model.lowercased().hasPrefix(make.lowercased()) else { return model }
        return make + " " + model
    }

    /// When the film was taken. Music has the date of its release instead: the time of its file is that of a copy.
    private static func date(_ tags: MediaTags, isMovie: Bool) -> String? {
        let local = tags.first(["com.apple.quicktime.creationdate"])
        let created = tags.first(["creation_time"])
        let released = tags.first([
            "date", "date_recorded", "date_released", "originaldate", "tdor", "year", "wm/year",
            "com.apple.quicktime.year",
        ])
        // A broadcast wave file has the day and the time in two tags.
        if let released, let created, let day = MediaDate.parse(released), day.count == 10,
            let time = MediaDate.time(created[...])
        {
            return day + "T" + time
        }
        return ([local] + (isMovie ? [created, released] : [released, created])).lazy
            .compactMap { $0.flatMap(MediaDate.parse) }.first
    }
}
