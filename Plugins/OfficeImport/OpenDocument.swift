import Markup
import SinkTools

/// Reads ODF, and the older format of OpenOffice.org: texts, sheets, presentations and drawings.
struct OpenDocument {
    private let package: PackageFile

    init(_ package: PackageFile) {
        self.package = package
    }

    func read() -> Document {
        var document = Document()
        let (properties, manifest) = (DocumentProperties(), Manifest())
        let (body, frame) = (OpenText(isBody: true), OpenText(isBody: false))
        var hasBody = false
        var problems: [String] = []
        package.read { name in
            switch name {
            case "meta.xml": properties
            case "content.xml": body
            case "styles.xml": frame
            case "META-INF/manifest.xml": manifest
            default: nil
            }
        } finished: { name, _, why in
            if name == "content.xml" { hasBody = true }
            if let why { problems.append("\(name): \(why)") }
        }
        if manifest.isEncrypted { return .locked }
        document.damage(package.problem ?? problems.first)
        if !hasBody { document.damage("its part content.xml is missing") }
        document.findings = properties.findings(isODF: true)
        document.text = body.text
        document.text.endLine()
        document.text.append(frame.text)
        return document
    }

    /// Whether the manifest says that parts are encrypted.
    private final class Manifest: MarkupHandler {
        private(set) var isEncrypted = false

        func start(_ name: String, _ attributes: MarkupAttributes) {
            if name == "encryption-data" { isEncrypted = true }
        }

        func end(_ name: String) {}
        func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}
    }
}

/// Collects the text of a part of ODF: of its paragraphs, sheets and pages.
final class OpenText: MarkupHandler {
    /// The largest number of spaces that one element writes.
    private static let maximumSpaces = 64

    private(set) var text = ProductText()

    /// Whether the whole part counts; otherwise only its headers and footers.
    private let isBody: Bool
    private var shown = 0
    private var hidden = 0
    private var paragraphs = 0
    private var isSheet = false

    init(isBody: Bool) {
        self.isBody = isBody
    }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        switch name {
        case "header", "footer", "header-left", "footer-left", "header-first", "footer-first": shown += 1
        case "tracked-changes", "creator", "date", "date-string", "initials", "sender-initials": hidden += 1
        case "p", "h", "title", "desc": paragraphs += 1
        case "table" where isSheet:
            text.append(attributes["name"] ?? "")
            text.endLine()
        case "spreadsheet": isSheet = true
        // Notes and comments are inside the sentence that they belong to.
        case "annotation", "note", "note-citation", "note-body": text.append(" ")
        default: if isVisible { space(name, attributes) }
        }
    }

    private var isVisible: Bool { paragraphs > 0 && hidden == 0 && (isBody || shown > 0) }

    private func space(_ name: String, _ attributes: MarkupAttributes) {
        switch name {
        case "tab", "tab-stop": text.tab()
        case "line-break": text.endLine()
        case "s":
            let count = attributes["c"].flatMap { Int($0) } ?? 1
            text.append(String(repeating: " ", count: min(max(count, 1), Self.maximumSpaces)))
        default: break
        }
    }

    func end(_ name: String) {
        switch name {
        case "header", "footer", "header-left", "footer-left", "header-first", "footer-first": shown -= 1
        case "tracked-changes", "creator", "date", "date-string", "initials", "sender-initials": hidden -= 1
        case "p", "h", "title", "desc":
            paragraphs -= 1
            text.endLine()
        case "table-cell": text.endCell()
        case "table-row": text.endLine()
        case "table" where isSheet: text.endPage()
        case "page" where isBody: text.endPage()
        default: break
        }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isVisible { text.append(bytes) }
    }
}
