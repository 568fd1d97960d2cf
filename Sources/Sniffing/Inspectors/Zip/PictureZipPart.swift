internal import Formats
internal import ShareModel

/// Recognizes archives of pictures and scenes:
/// - comic books by their `ComicInfo.xml` (Anansi project)
/// - USDZ (Pixar's specification): nothing is compressed, the first file is a layer, and data starts at multiples of 64
///   bytes
/// - KMZ (OGC 12-007r2, annex C): one document at the top, which readers use as the main one
struct PictureZipPart: ZipPart {
    private static let comic: MediaType = "application/vnd.comicbook+zip"
    private static let scene: MediaType = "model/vnd.usdz+zip"
    private static let map: MediaType = "application/vnd.google-earth.kmz"

    private static let sceneEndings: [StaticString] = [".usdc", ".usda", ".usd"]
    private static let pictureEndings: [StaticString] = [
        ".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif", ".jxl", ".jp2",
    ]

    let concludes: Set<MediaType> = [comic, scene, map]

    func inspect(_ archive: ZipArchive) throws -> Finding? {
        if try isScene(archive) {
            return Finding(Self.scene, Evidence("zip", "a layer first, nothing compressed, aligned to 64 bytes"))
        }
        if archive.has(prefix: "", suffix: "comicinfo.xml"), Self.hasPicturesAlone(archive) {
            return Finding(Self.comic, Evidence("zip", "pictures and ComicInfo.xml"))
        }
        if isMap(archive) { return Finding(Self.map, Evidence("zip", "one .kml at the top")) }
        return nil
    }

    /// The types that a file name may give to an archive of pictures. The bytes do not show whether it is a comic book
    /// or a set of photos.
    static func possible(_ archive: ZipArchive) -> Set<MediaType> { hasPicturesAlone(archive) ? [comic] : [] }

    private func isScene(_ archive: ZipArchive) throws -> Bool {
        let directory = archive.directory
        guard let first = directory.entries.first,
            Self.sceneEndings.contains(where: { directory.has(first, suffix: $0) }),
            directory.entries.allSatisfy({ $0.method == 0 })
        else { return false }
        return try directory.dataOffset(of: first, in: archive.content).map { $0 % 64 == 0 } ?? false
    }

    private func isMap(_ archive: ZipArchive) -> Bool {
        if archive.has("doc.kml") { return true }
        let top = archive.directory.entries.filter { !archive.directory.name($0).contains(UInt8(ascii: "/")) }
        return top.count == 1 && top.allSatisfy { archive.directory.has($0, suffix: ".kml") }
    }

    private static func hasPicturesAlone(_ archive: ZipArchive) -> Bool {
        let directory = archive.directory
        var pictures = 0
        for entry in directory.entries where !directory.has(entry, suffix: "/") {
            if pictureEndings.contains(where: { directory.has(entry, suffix: $0) }) {
                pictures += 1
            } else if !directory.has(entry, suffix: "comicinfo.xml") && !directory.has(entry, prefix: "__macosx/")
                && !directory.has(entry, suffix: ".ds_store") && !directory.has(entry, suffix: "thumbs.db")
            {
                return false
            }
        }
        return pictures > 0
    }
}
