internal import Formats
internal import Reading
internal import ShareModel
internal import Sniffing

/// A representation as what it really is. A property list with a file URL is a file, and a text that is only a URL is a
/// link.
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
    /// The reason for the form, if the representation states another one.
    let why: String?
    /// The warning that content declared as a URL has another form.
    var warning: String?

    /// A provider's candidates in the order in which the selector tries them: by form, then in the sender's order.
    static func all(of provider: ItemProvider) -> [Candidate] {
        let candidates = provider.representations.enumerated().map { Candidate($0.offset, $0.element) }
        if candidates.count < 2 { return candidates }
        let ordered = Receipt.Form.allCases.flatMap { form in candidates.filter { $0.form == form } }
        return ordered.filter { !$0.isScriptResult } + ordered.filter(\.isScriptResult)
    }

    /// Whether it is a property list without a file, such as a browser's script results about a page. It repeats the
    /// other forms, so it comes last.
    private var isScriptResult: Bool {
        form == .data && declared.map { DeclaredType($0).isPropertyList } == true
    }

    /// Whether it is a text or a link without a character. It is no content.
    var isEmptyText: Bool {
        if case .bytes(let bytes) = content { (form == .text || form == .link) && bytes.isEmpty } else { false }
    }

    /// A file without alternatives, such as a sink's product.
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
            warning = "declared as \(declared), but it has another form"
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
        // No URL is longer, and searching large data for one would only cost time.
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

/// The file URL that some programs wrap into a property list, as its only value or in a dictionary or an array.
enum PropertyListFileURL {
    static func find(in bytes: [UInt8]) -> String? {
        guard PropertyList.looksLikeOne(bytes), let list = try? PropertyList.parse(bytes) else { return nil }
        return first(in: list) { $0.isFileURL }
    }

    /// The first trimmed text that `isWanted` accepts. It looks at each text once. The recursion is bounded, because the parser limits the depth and the number of values.
    static func first(in list: PropertyList, where isWanted: (String) -> Bool) -> String? {
        let values: [PropertyList]
        switch list {
        case .string(let text):
            let trimmed = text.trimmed
            return isWanted(trimmed) ? trimmed : nil
        case .array(let elements): values = elements
        case .dictionary(let entries): values = entries.map { $0.value }
        default: return nil
        }
        // A lazy `compactMap` computes its first element twice, so each level of nesting would double the work.
        for value in values { if let found = first(in: value, where: isWanted) { return found } }
        return nil
    }
}
