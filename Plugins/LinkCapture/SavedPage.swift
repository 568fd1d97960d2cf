import Foundation
import Pages
import SinkKit
import SinkTools

/// What a link leads to, as it was downloaded.
struct SavedPage {
    /// The most bytes of a page whose words are read. The page itself is kept whole.
    static let readLimit = 16 << 20
    /// The processor time after which the rest of a page is left out, in seconds.
    static let readingSeconds = 10
    static let headers = ["Accept": "text/html, application/xhtml+xml, */*;q=0.8"]

    private(set) var title: String?
    /// What was found in it, or why there is nothing.
    private(set) var metadata: [String: JSONValue] = [:]
    private(set) var products: [Product] = []

    /// Keeps a downloaded page in the folder for products.
    ///
    /// - Throws: ``SinkFailure`` if it cannot be written.
    init(_ end: Delivery.EndedTransfer, to out: String) throws {
        guard let file = end.file, let path = file.path else {
            let status = end.status.map { "the server answers \($0)" }
            let why = end.failure?.why ?? status ?? "there is no content"
            metadata = Self.unsaved(why)
            return
        }
        guard file.size > 0 else {
            metadata = ["incomplete": true, "problem": "the page is empty"]
            return
        }
        var findings = Findings()
        findings.set("page_url", end.url)
        let name = "page.\(Self.endings[file.type] ?? "bin")"
        do {
            try FileManager.default.copyItem(atPath: path, toPath: "\(out)/\(name)")
        } catch {
            throw SinkFailure(.transient, "the page cannot be kept: \(error.localizedDescription)")
        }
        products = [Product(path: name, role: "page", type: file.type)]
        if Self.pages.contains(file.type) {
            try read(
                path, charset: end.headers?["content-type"].flatMap(StatedEncoding.find(inType:)), to: out, &findings)
        }
        metadata = findings.values
    }

    /// What is found instead of a page.
    static func unsaved(_ why: String) -> [String: JSONValue] {
        ["incomplete": true, "problem": .string("the page is not saved: \(why)")]
    }

    private mutating func read(_ path: String, charset: String?, to out: String, _ findings: inout Findings) throws {
        let descriptor = try openRegularFile(path)
        defer { close(descriptor) }
        let content = try readBytes(of: descriptor, limit: Self.readLimit)
        let note = WebPage.read(content.bytes[...], stated: charset, ProcessorTime(seconds: Self.readingSeconds))
        for (key, value) in note.findings.values { findings[key] = value }
        if case .string(let found)? = note.findings["title"] { title = found }
        products += try note.text.write(in: out, &findings, without: note.reason ?? "there is no word in it")
        if note.isCut || content.isCut { findings["text_cut"] = true }
    }

    private static let pages: Set<String> = ["text/html", "application/xhtml+xml"]

    /// The ends of the names of files by their types.
    private static let endings = [
        "text/html": "html", "application/xhtml+xml": "xhtml", "text/plain": "txt", "application/pdf": "pdf",
        "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg",
        "application/json": "json", "application/xml": "xml", "text/xml": "xml", "application/zip": "zip",
        "application/epub+zip": "epub", "audio/mpeg": "mp3", "video/mp4": "mp4",
    ]
}
