internal import Formats
internal import ShareModel

extension FolderRule {
    private static let stills: Set<String> = ["heic", "heif", "hif", "jpg", "jpeg"]
    /// Raw photos of cameras. `raw` is not here, because other programs use it too.
    private static let raws: Set<String> = [
        "3fr", "arw", "cr2", "cr3", "crw", "dng", "erf", "kdc", "mef", "mos", "mrw", "nef", "nrw", "orf", "pef", "raf",
        "rw2", "rwl", "sr2", "srf", "srw", "x3f",
    ]
    private static let movies: Set<String> = ["mov", "mp4", "m4v", "avi", "mpg", "mts", "m2ts", "3gp"]
    private static let pictures = stills.union(["png", "gif", "webp", "tif", "tiff", "avif", "psd"])
    private static let media = pictures.union(raws).union(movies)
    /// The folders of saved pages, in the languages of browsers and of Word. Windows keeps each with its page:
    /// "Connected Files" in Microsoft's documentation of the Windows shell.
    private static let pageFolders = [
        "_files", ".files", "_archivos", "_arquivos", "_bestanden", "_bylos", "-Dateien", "_datoteke", "_dosyalar",
        "_elemei", "_failid", "_fails", "_fajlovi", "_ficheiros", "_fichiers", "_file", "-filer", "_fitxategiak",
        "_fitxers", "_pliki", "_soubory", "_tiedostot",
    ]

    /// The table. The first rule that gives an entry a lead decides.
    static let all = [rawPhoto, livePhoto, xmp, edits, takeout, thumbnail, savedPage]

    /// A camera writes both of one shot. The JPEG leads, because more programs read it.
    private static let rawPhoto = FolderRule(
        name: "raw photo", leads: stills, relation: .stem(raws), role: .content,
        proof: { $0.isRawPhoto ? aStill : nil })

    /// A phone writes a movie of three seconds beside the still, and both have the identifier of the shot.
    private static let livePhoto = FolderRule(
        name: "live photo", leads: stills, relation: .stem(["mov", "mp4"]), role: .content,
        proof: { movie in
            guard let identifier = QuickTimeMetadata.contentIdentifier(of: movie) else { return nil }
            return { $0.isStill && $0.has(identifier, within: SiblingFile.metadataBytes) }
        })

    /// darktable writes `a.cr2.xmp`, Adobe's programs write `a.xmp` (ISO 16684-1).
    private static let xmp = FolderRule(
        name: "XMP", leads: media, relation: .stemOrName("xmp"), role: .sidecar,
        proof: { $0.has("<x:xmpmeta") || $0.has("<rdf:RDF") ? anyLead : nil })

    /// Photos on a phone keeps an edit beside the untouched photo or movie.
    private static let edits = FolderRule(
        name: "edits of a photo", leads: stills.union(["png", "dng", "mov"]), relation: .stem(["aae"]), role: .sidecar,
        proof: { $0.has("adjustment") && ($0.has("<plist") || $0.begins("bplist00")) ? anyLead : nil })

    /// Takeout writes `a.jpg.supplemental-metadata.json`, cuts a long name short, and once wrote `a.jpg.json`.
    private static let takeout = FolderRule(
        name: "Google Takeout", leads: media, relation: .name("json", word: "supplemental-metadata"), role: .sidecar,
        proof: { $0.begins("{") && $0.has("\"photoTakenTime\"") && $0.has("\"title\"") ? anyLead : nil })

    /// Cameras write a small picture of each movie, as JPEG.
    private static let thumbnail = FolderRule(
        name: "thumbnail", leads: movies.union(["crw"]), relation: .stem(["thm"]), role: .preview,
        proof: { $0.isJPEG ? anyLead : nil })

    /// A browser saves a page as `a.html` with all that it shows in `a_files`, and the page names that folder.
    private static let savedPage = FolderRule(
        name: "saved page", leads: ["html", "htm", "xhtml"], relation: .folder(pageFolders), role: .content,
        proof: { folder in
            let texts = pageFolders.filter(folder.name.ends(in:)).map { $0 + "/" }
            return { page in texts.contains { page.has($0, within: SiblingFile.metadataBytes) } }
        })

    private static let aStill: LeadTest = { $0.isStill }
    /// The test of a rule that the bytes of the follower prove.
    private static let anyLead: LeadTest = { _ in true }
}

// The tests of a few bytes. Each takes at most a fixed number, so a hostile file costs no more.
extension SiblingFile {
    /// The most bytes in which metadata is looked for. Cameras, phones and browsers write it at the beginning.
    static let metadataBytes = 1 << 20

    /// The bytes of a sidecar in which its words are looked for. A person's description may come before them.
    private static let headBytes = 64 << 10

    func has(_ bytes: [UInt8], within count: Int) -> Bool { ByteSearch.first(bytes, in: self.bytes(count)[...]) != nil }

    fileprivate func has(_ text: String, within count: Int = headBytes) -> Bool { has(Array(text.utf8), within: count) }

    fileprivate func begins(_ text: String) -> Bool { bytes(text.utf8.count).elementsEqual(text.utf8) }

    fileprivate var isJPEG: Bool { bytes(3) == [0xFF, 0xD8, 0xFF] }

    /// A JPEG, or a file of the family of HEIF (ISO/IEC 23008-12).
    fileprivate var isStill: Bool { isJPEG || bytes(8).dropFirst(4).elementsEqual("ftyp".utf8) }

    /// The beginnings of raw photos: TIFF and what cameras made of it, Canon's CRW and CR3, Fujifilm, Minolta, Sigma.
    fileprivate var isRawPhoto: Bool {
        let head = bytes(16)
        let beginnings = ["II*\0", "MM\0*", "IIRO", "IIRS", "IIU\0", "FUJIFILMCCD-RAW", "\0MRM", "FOVb"]
        return beginnings.contains { head.starts(with: $0.utf8) }
            || head.dropFirst(4).starts(with: "ftypcrx".utf8) || head.dropFirst(6).starts(with: "HEAPCCDR".utf8)
    }
}
