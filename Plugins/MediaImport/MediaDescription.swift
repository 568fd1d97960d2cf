/// Ffprobe's description of a media file. All values are as ffprobe writes them; each may be absent.
struct MediaDescription: Decodable {
    var format: Format?
    var streams: [Stream]?
    var chapters: [Chapter]?

    /// The file as a whole.
    struct Format: Decodable {
        /// The names of ffprobe's reader, such as `mov,mp4,m4a,3gp,3g2,mj2`.
        var format_name: String?
        var duration: String?
        var tags: [String: String]?
    }

    /// One track.
    struct Stream: Decodable {
        /// `video`, `audio`, `subtitle`, `data` or `attachment`.
        var codec_type: String?
        var codec_name: String?
        var width: Int?
        var height: Int?
        /// A fraction such as `30000/1001`, or `0/0`.
        var avg_frame_rate: String?
        var duration: String?
        var tags: [String: String]?
        var disposition: [String: Int]?
        var side_data_list: [SideData]?
    }

    /// A value beside the track, such as its matrix.
    struct SideData: Decodable {
        /// The rotation in degrees, counterclockwise.
        var rotation: Double?
    }

    /// A chapter.
    struct Chapter: Decodable {
        var tags: [String: String]?
    }

    /// The first track with moving pictures; the cover of an album is none.
    var movie: Stream? {
        streams?.first { $0.codec_type == "video" && $0.disposition?["attached_pic"] != 1 }
    }

    /// The first track with sound.
    var sound: Stream? { streams?.first { $0.codec_type == "audio" } }

    /// The tags of 3GPP, which ffprobe does not read.
    var assetTags: [String: String]?

    /// The tags of the whole file. Those of an Ogg file belong to its track.
    var tags: MediaTags { MediaTags(format?.tags, readers == ["ogg"] ? (sound ?? movie)?.tags : assetTags) }

    /// The names of ffprobe's reader.
    var readers: [Substring] { format?.format_name?.split(separator: ",") ?? [] }
}
