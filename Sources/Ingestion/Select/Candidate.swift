internal import Formats
internal import Reading
internal import ShareModel
internal import Sniffing

/// A representation as what it really is: a file URL inside a property list is a file, a text that is only a URL a link.
struct Candidate {
    enum Content {
        case file(FileReference)
        case part(PartReference)
        case bytes([UInt8])
    }

    /// The representation's place in its provider.
    let index: Int
    let form: Receipt.Form
    let content: Content
    let declared: String?
    /// How that is known, where it is not plain from the representation.
    let why: String?
    /// Where it is not what its declaration says of its form.
    var warning: String?

    /// A provider's candidates in the order in which they are to be tried: by form, then as the sender prefers.
    static func all(of provider: ItemProvider) -> [Candidate] {
        let candidates = provider.representations.enumerated().map { Candidate($0.offset, $0.element) }
        let ordered = Receipt.Form.allCases.flatMap { form in candidates.filter { $0.form == form } }
        return ordered.filter { !$0.isScriptResult } + ordered.filter(\.isScriptResult)
    }

    /// A property list without a file in it, such as what a browser's script found out about the page: it says again
    /// what the other forms say, and is taken only where there is nothing else.
    private var isScriptResult: Bool {
        form == .data && declared.map { DeclaredType($0).isPropertyList } == true
    }

    /// A file that needs no choosing.
    init(file: FileReference) {
        (index, form, content, declared, why) = (0, .file, .file(file), nil, nil)
    }

    private init(_ index: Int, _ representation: Representation) {
        self.index = index
        declared = representation.declaredType
        let kind = representation.declaredType.map { DeclaredType($0).kind }
        switch representation.content {
        case .file(let reference):
            (form, content, why) = (.file, .file(reference), nil)
        case .part(let part):
            (form, content, why) = (.file, .part(part), nil)
        case .link(let text):
            (form, content, why) = Self.link(text)
        case .text(let text):
            (form, content, why) = Self.text(text, isFileURL: kind == .fileURL)
        case .data(let bytes):
            (form, content, why) = Self.data(bytes, isFileURL: kind == .fileURL, isURL: kind == .url)
        }
        if let declared, kind == .url || kind == .fileURL, form == .text || form == .data {
            warning = "declared \(declared), but it is none"
        }
    }

    private typealias Reading = (Receipt.Form, Content, String?)

    private static func link(_ text: String) -> Reading {
        let url = text.trimmed
        if url.isFileURL { return (.file, .file(.url(url)), "a link to a file") }
        return (.link, .bytes(Array(url.utf8)), nil)
    }

    private static func text(_ text: String, isFileURL: Bool) -> Reading {
        let url = text.trimmed
        if isFileURL, url.isFileURL { return (.file, .file(.url(url)), "text declared as a file URL") }
        if url.isWebURL { return (.link, .bytes(Array(url.utf8)), "text that is only a URL") }
        return (.text, .bytes(Array(text.utf8)), nil)
    }

    private static func data(_ bytes: [UInt8], isFileURL: Bool, isURL: Bool) -> Reading {
        // No URL is longer, and looking into large data for one would only cost time.
        if bytes.count <= URLText.limit, let text = String(validating: bytes, as: UTF8.self) {
            let url = text.trimmed
            if isFileURL, url.isFileURL { return (.file, .file(.url(url)), "data that is a file URL") }
            if isURL || url.isWebURL, url.hasScheme, !url.isFileURL {
                return (.link, .bytes(Array(url.utf8)), "data that is only a URL")
            }
        }
        if let url = PropertyListFileURL.find(in: bytes) {
            return (.file, .file(.url(url)), "data that is a property list with the file URL \(url)")
        }
        return (.data, .bytes(bytes), nil)
    }
}

/// The file URL that some programs wrap into a property list: as its only value, in a dictionary, in an array.
enum PropertyListFileURL {
    static func find(in bytes: [UInt8]) -> String? {
        guard PropertyList.looksLikeOne(bytes), let list = try? PropertyList.parse(bytes) else { return nil }
        return find(in: list)
    }

    /// The first one; the parser has bounded how deep and how many values there are.
    private static func find(in list: PropertyList) -> String? {
        switch list {
        case .string(let text): text.trimmed.isFileURL ? text.trimmed : nil
        case .array(let values): values.lazy.compactMap(find).first
        case .dictionary(let entries): entries.lazy.compactMap { find(in: $0.value) }.first
        default: nil
        }
    }
}
