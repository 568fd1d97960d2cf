import CTagLib
import Glibc

/// The tags of a file that ffprobe cannot open, read by TagLib.
///
/// Its sound may be cut off or missing, as after an incomplete download. The tags are at the beginning or at the end of
/// the file.
enum FileTags {
    /// The largest file that is looked at, in bytes. TagLib searches all of it for sound, at about 80 MB a second.
    static let maximumFile = 64 << 20

    /// TagLib's readers in the order of their use. That of MPEG finds ID3 and APE tags at both ends of any file.
    private static let readers = [
        TagLib_File_FLAC, TagLib_File_OggVorbis, TagLib_File_OggFlac, TagLib_File_Speex, TagLib_File_ASF,
        TagLib_File_MP4,
        TagLib_File_MPEG,
    ]

    /// The tags of an open file, under ffprobe's names; empty if there are none, or if it is too large.
    static func read(_ descriptor: Int32) -> [String: String] {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= maximumFile else { return [:] }
        return readers.lazy.map { read(descriptor, $0) }.first { !$0.isEmpty } ?? [:]
    }

    private static func read(_ descriptor: Int32, _ reader: TagLib_File_Type) -> [String: String] {
        guard let file = taglib_file_new_type("/proc/self/fd/\(descriptor)", reader) else { return [:] }
        defer { taglib_file_free(file) }
        guard taglib_file_is_valid(file) != 0, let tag = taglib_file_tag(file) else { return [:] }
        defer { taglib_tag_free_strings() }
        let year = taglib_tag_year(tag)
        let texts = [
            "title": taglib_tag_title(tag), "artist": taglib_tag_artist(tag), "album": taglib_tag_album(tag),
            "comment": taglib_tag_comment(tag), "genre": taglib_tag_genre(tag),
        ]
        var tags = texts.compactMapValues { $0.map { String(cString: $0) } }.filter { !$0.value.isEmpty }
        if year != 0 { tags["date"] = String(year) }
        return tags
    }
}
