internal import Formats
internal import ShareModel

/// Finds a zip archive after content of another type. Unpacking programs search for the record at the end and ignore
/// the bytes before the archive, so the same bytes have two meanings. The first bytes decide the type, and a warning
/// reports the archive.
///
/// The check costs a read at the end. It is made only for types that are displayed as they are, and shared for that. An
/// archive is normal in a self-extracting program, and in a document format that is based on zip.
enum HiddenArchive {
    private static let hosts: Set<MediaType> = [.pdf, "image/gif", "image/jpeg", "image/png", "image/bmp", .html]
    /// The number of bytes at the end that are searched. An archive with a short comment ends there; a comment can be
    /// the end of the document.
    private static let window = 1_024

    /// The warning; `nil` if there is no archive.
    ///
    /// - Throws: an error if the content cannot be read.
    static func warning(_ type: MediaType, _ sample: Sample) throws -> String? {
        guard hosts.contains(type) else { return nil }
        let tail = try sample.content.read(at: max(0, sample.content.size - Int64(window)), count: window)
        guard ByteSearch.last([0x50, 0x4B, 5, 6], in: tail[...]) != nil,
            let directory = try sample.zipDirectory(), directory.isCentral,
            let first = directory.entries.first,
            // The signature of the end can occur by coincidence; then the first entry is not at the stated offset.
            try directory.dataOffset(of: first, in: sample.content) != nil
        else { return nil }
        return "the bytes are \(type), but are also a zip archive"
    }
}
