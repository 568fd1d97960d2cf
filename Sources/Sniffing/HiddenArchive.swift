internal import Formats
internal import ShareModel

/// An archive behind content of another type. Programs that unpack find it by its end, whatever stands in front, so
/// the same bytes are two things; the conclusion is what the first bytes say, and a warning tells of the other.
///
/// Only types that are shown as they are, and are carried about for that, are worth the read of their last bytes.
/// Programs that unpack themselves, and documents that are archives, are no surprise.
enum HiddenArchive {
    private static let hosts: Set<MediaType> = [.pdf, "image/gif", "image/jpeg", "image/png", "image/bmp", .html]
    /// The end of an archive with a short comment, such as the end of a document.
    private static let window = 1_024

    /// What is to be said about it, if there is one.
    ///
    /// - Throws: when the content cannot be read.
    static func warning(_ type: MediaType, _ sample: Sample) throws -> String? {
        guard hosts.contains(type) else { return nil }
        let tail = try sample.content.read(at: max(0, sample.content.size - Int64(window)), count: window)
        guard ByteSearch.last([0x50, 0x4B, 5, 6], in: tail[...]) != nil,
            let directory = try ZipDirectory(sample.content), directory.isCentral,
            let first = directory.entries.first,
            try directory.dataOffset(of: first, in: sample.content) != nil
        else { return nil }
        return "the bytes are \(type), but are also a zip archive"
    }
}
