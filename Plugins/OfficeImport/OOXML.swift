import Markup
import SinkKit
import SinkTools

/// Reads OOXML: documents, workbooks and presentations. The content types tell what a part is, the relationships tell
/// the order of sheets and slides.
struct OOXML {
    /// Parts that are not the body, in the order of the text.
    private static let afterBody = ["header", "footer", "footnotes", "endnotes", "comments"]

    private let package: PackageFile
    private let index = PackageIndex()
    private let properties = DocumentProperties()
    private var document = Document()

    init(_ package: PackageFile) {
        self.package = package
    }

    mutating func read() -> Document {
        let (shared, styles) = (SharedStrings(), CellStyles())
        var problems: [String] = []
        package.read { name in
            if name == "[Content_Types].xml" || name.hasSuffix(".rels") { return index.of(name) }
            if name.hasPrefix("docProps/"), name.hasSuffix(".xml") { return properties }
            if name.hasSuffix("workbook.xml") || name.hasSuffix("presentation.xml") { return index.of(name) }
            if name.hasSuffix("xl/styles.xml") { return styles }
            return name.hasSuffix("sharedStrings.xml") ? shared : nil
        } finished: {
            if let why = $2 { problems.append("\($0): \(why)") }
        }
        styles.isFrom1904 = index.isFrom1904
        var parts: [String: OfficeText] = [:]
        package.read { name in
            index.kind(name).map { OfficeText($0, shared: shared, styles: styles) }
        } finished: { name, handler, why in
            parts[name] = handler as? OfficeText
            if let why { problems.append("\(name): \(why)") }
        }
        document.damage(package.problem ?? problems.first)
        document.findings = properties.findings()
        assemble(parts)
        return document
    }

    private mutating func assemble(_ parts: [String: OfficeText]) {
        let ordered = index.ordered(Array(parts.keys))
        let bodies = ordered.filter {
            Self.afterBody.contains(index.kind($0)?.name ?? "") == false && index.kind($0) != .notes
        }
        if bodies.isEmpty, !index.isWithoutSlides { document.damage("its main part is missing") }
        for name in bodies {
            document.text.endPage()
            if let title = index.titles[name] {
                document.text.append(title)
                document.text.endLine()
            }
            append(parts[name])
            if let notes = index.notes(of: name) { append(parts[notes]) }
        }
        for kind in Self.afterBody {
            for name in ordered where index.kind(name)?.name == kind { append(parts[name]) }
        }
        if bodies.contains(where: { index.kind($0) == .slide }) {
            document.findings["pages"] = .integer(Int64(bodies.count))
        }
    }

    private mutating func append(_ part: OfficeText?) {
        guard let part else { return }
        document.text.endLine()
        document.text.append(part.text)
    }
}

/// The kinds of parts with text.
enum OfficePart: Equatable {
    case document, slide, notes, sheet
    case around(String)

    /// The kind for the last words of a content type, such as `slide+xml`.
    init?(type: String) {
        guard type.hasSuffix("+xml"), let last = type.dropLast(4).split(separator: ".").last.map(String.init) else {
            return nil
        }
        let isMain = last == "main"
        switch last {
        case "slide": self = .slide
        case "notesSlide": self = .notes
        case "worksheet": self = .sheet
        case "header", "footer", "footnotes", "endnotes", "comments": self = .around(last)
        default:
            guard isMain, type.contains("wordprocessingml") || type.contains("ms-word") else { return nil }
            self = .document
        }
    }

    var name: String? { if case .around(let name) = self { name } else { nil } }
}

/// The content types, relationships and order of the parts of a package.
final class PackageIndex {
    /// The largest number of entries that are kept of each kind.
    private static let maximumEntries = 20_000

    /// By the name of a part; `nil` for a part of no interest.
    private var kinds: [String: OfficePart?] = [:]
    /// By the ending of the names of parts that are not in ``kinds``.
    private var endings: [String: OfficePart] = [:]
    /// By the name of a part, then by identifier: the names of the related parts.
    private var targets: [String: [String: String]] = [:]
    private var order: [(source: String, id: String, title: String?)] = []
    /// Whether a workbook counts its days from 1904 on.
    private(set) var isFrom1904 = false
    /// Whether a presentation was read that lists no slide, such as a template.
    var isWithoutSlides: Bool { isPresentation && order.isEmpty }
    private var isPresentation = false
    /// The names of sheets by part.
    private(set) var titles: [String: String] = [:]

    func of(_ name: String) -> any MarkupHandler { Reader(self, name) }

    func kind(_ name: String) -> OfficePart? {
        let name = name.lowercased()
        if let known = kinds[name] { return known }
        guard name != "[content_types].xml", let ending = name.split(separator: ".").last else { return nil }
        return endings[String(ending)]
    }

    func notes(of slide: String) -> String? {
        targets[slide]?.values.first { kind($0) == .notes }
    }

    /// The parts in the order of the document; those that no list names follow in the order of their numbers.
    func ordered(_ names: [String]) -> [String] {
        var rank: [String: Int] = [:]
        for (position, entry) in order.enumerated() {
            guard let target = targets[entry.source]?[entry.id], rank[target] == nil else { continue }
            rank[target] = position
            titles[target] = entry.title
        }
        return names.sorted {
            (rank[$0] ?? .max, $0.count, $0) < (rank[$1] ?? .max, $1.count, $1)
        }
    }

    private final class Reader: MarkupHandler {
        private let index: PackageIndex
        private let name: String

        init(_ index: PackageIndex, _ name: String) {
            self.index = index
            self.name = name
        }

        func start(_ element: String, _ attributes: MarkupAttributes) {
            switch element {
            case "Override":
                guard index.kinds.count < maximumEntries, let part = attributes["PartName"] else { return }
                let kind = attributes["ContentType"].flatMap { OfficePart(type: $0) }
                index.kinds.updateValue(kind, forKey: part.drop { $0 == "/" }.lowercased())
            case "Default":
                guard index.endings.count < maximumEntries, let ending = attributes["Extension"] else { return }
                index.endings[ending.lowercased()] = attributes["ContentType"].flatMap { OfficePart(type: $0) }
            case "Relationship":
                guard let id = attributes["Id"], let target = attributes["Target"] else { return }
                let source = name.replacing("_rels/", with: "").dropLast(5)
                guard index.targets[String(source), default: [:]].count < maximumEntries else { return }
                index.targets[String(source), default: [:]][id] = PartName.resolve(target, from: String(source))
            case "presentation": index.isPresentation = true
            case "workbookPr":
                index.isFrom1904 = ["1", "true"].contains(attributes["date1904"] ?? "")
            case "sheet", "sldId":
                guard index.order.count < maximumEntries, let id = attributes.relationship else { return }
                index.order.append((name, id, attributes["name"].map { $0.cleaned() }))
            default: break
            }
        }

        func end(_ name: String) {}
        func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}
    }
}

/// The names of parts.
enum PartName {
    /// The part that a reference in another part names.
    static func resolve(_ reference: String, from source: String) -> String {
        let path = reference.split(separator: "#", omittingEmptySubsequences: false).first ?? ""
        var all = path.hasPrefix("/") ? [] : source.split(separator: "/").dropLast()
        for piece in path.split(separator: "/") where piece != "." {
            if piece == ".." { _ = all.popLast() } else { all.append(piece) }
        }
        return all.joined(separator: "/")
    }
}
