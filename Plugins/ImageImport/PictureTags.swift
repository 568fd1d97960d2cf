import CGExiv2
import Foundation

/// The EXIF, IPTC and XMP values of one file, read by exiv2. The class owns gexiv2's object and releases it.
///
/// A tag is named as in exiv2: `Exif.Photo.LensModel`, `Iptc.Application2.City`, `Xmp.dc.title`. A name that an older
/// exiv2 does not know has no value.
final class PictureTags {
    /// The largest number of values that a tag gives.
    static let maximumValues = 400
    /// The longest part of a value that is read, in bytes. A value may be as large as the file.
    static let maximumBytes = 16_384

    /// The largest number of names that are read from each of EXIF, IPTC and XMP.
    static let maximumTags = 20_000

    private let metadata: UnsafeMutablePointer<GExiv2Metadata>
    /// The names of the tags with a value. For a tag that is present but empty, gexiv2 0.14 gives the value of another.
    private let present: Set<String>

    /// Initializes exiv2, once in the process, and turns off its warnings about broken values.
    static func start() {
        gexiv2_log_set_level(GEXIV2_LOG_LEVEL_MUTE)
        // The result is false if exiv2's parser of XMP fails to start. EXIF and IPTC work without it.
        gexiv2_initialize()
    }

    /// `nil` if exiv2 does not know the format, or if the file is too broken for it.
    ///
    /// - Parameter path: an absolute path. Exiv2 takes other strings for addresses or standard input.
    convenience init?(_ path: String) {
        guard path.hasPrefix("/"), let metadata = gexiv2_metadata_new() else { return nil }
        guard gexiv2_metadata_open_path(metadata, path, nil) != 0 else {
            g_object_unref(metadata)
            return nil
        }
        self.init(taking: metadata)
    }

    /// `nil` if exiv2 cannot read the block.
    ///
    /// - Parameter exif: a block of EXIF, which begins as a TIFF file does.
    convenience init?(exif: [UInt8]) {
        guard let metadata = gexiv2_metadata_new() else { return nil }
        guard gexiv2_metadata_from_app1_segment(metadata, exif, exif.count, nil) != 0 else {
            g_object_unref(metadata)
            return nil
        }
        self.init(taking: metadata)
    }

    private init(taking metadata: UnsafeMutablePointer<GExiv2Metadata>) {
        self.metadata = metadata
        present = [
            gexiv2_metadata_get_exif_tags(metadata), gexiv2_metadata_get_iptc_tags(metadata),
            gexiv2_metadata_get_xmp_tags(metadata),
        ].reduce(into: []) { $0.formUnion(Self.take($1, Self.maximumTags)) }
    }

    deinit {
        g_object_unref(metadata)
    }

    /// The value as stored; several values are joined by a space or a comma.
    func text(_ tag: String) -> String? {
        present.contains(tag) ? Self.take(gexiv2_metadata_try_get_tag_string(metadata, tag, nil)) : nil
    }

    /// The value in exiv2's words: the name of a lens for its number, text for the UTF-16 of Windows.
    func words(_ tag: String) -> String? {
        present.contains(tag) ? Self.take(gexiv2_metadata_try_get_tag_interpreted_string(metadata, tag, nil)) : nil
    }

    /// The values of a list.
    func list(_ tag: String) -> [String] {
        present.contains(tag)
            ? Self.take(gexiv2_metadata_try_get_tag_multiple(metadata, tag, nil), Self.maximumValues) : []
    }

    private static func take(
        _ owned: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?, _ most: Int
    ) -> [String] {
        guard let owned else { return [] }
        defer { g_strfreev(owned) }
        var all: [String] = []
        while all.count < most, let value = owned[all.count] {
            all.append(decode(value))
        }
        return all
    }

    private static func take(_ owned: UnsafeMutablePointer<gchar>?) -> String? {
        guard let owned else { return nil }
        defer { g_free(owned) }
        return decode(owned)
    }

    /// Old programs wrote the bytes of their own code page, without its name. So bytes that are not UTF-8 are read as
    /// Windows-1252, the most common one, which contains Latin-1.
    private static func decode(_ value: UnsafePointer<gchar>) -> String {
        let length = strnlen(value, maximumBytes)
        let bytes = UnsafeRawBufferPointer(start: value, count: length)
        // A cut in the middle of a character is no reason to doubt the encoding.
        for cut in 0...(length == maximumBytes ? 3 : 0) where cut <= length {
            if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) { return text }
        }
        return String(bytes: bytes, encoding: .windowsCP1252) ?? String(bytes: bytes, encoding: .isoLatin1) ?? ""
    }
}
