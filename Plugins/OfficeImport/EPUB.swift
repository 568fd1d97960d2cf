import Markup
import SinkTools

/// Reads EPUB: the chapters in the order of the spine.
struct EPUB {
    private let package: PackageFile

    init(_ package: PackageFile) {
        self.package = package
    }

    func read() -> Document {
        var document = Document()
        let (properties, book) = (DocumentProperties(), Book())
        var problems: [String] = []
        package.read {
            $0 == "META-INF/container.xml" || $0 == "META-INF/encryption.xml" ? book : nil
        } finished: {
            if let why = $2 { problems.append("\($0): \(why)") }
        }
        let root = book.root ?? ""
        package.read {
            $0 == root ? book : nil
        } finished: {
            if let why = $2 { problems.append("\($0): \(why)") }
        }
        package.read {
            $0 == root ? properties : nil
        } finished: { _, _, _ in
        }
        let chapters = book.chapters
        let wanted = Set(chapters).subtracting(book.encrypted)
        var texts: [String: ProductText] = [:]
        package.read({ wanted.contains($0) ? PageText() : nil }, html: true) { name, handler, why in
            texts[name] = (handler as? PageText)?.text
            if let why { problems.append("\(name): \(why)") }
        }
        document.damage(package.problem ?? problems.first)
        document.findings = properties.findings()
        if chapters.isEmpty { document.damage("its list of chapters is missing") }
        if wanted.count < Set(chapters).count { document.problem = document.problem ?? "its chapters are encrypted" }
        for chapter in chapters {
            document.text.endPage()
            if let text = texts.removeValue(forKey: chapter) { document.text.append(text) }
        }
        return document
    }

    /// The list of a book's files, and the order of its chapters.
    private final class Book: MarkupHandler {
        /// The largest number of files that are kept.
        private static let maximumFiles = 20_000

        private(set) var root: String?
        private(set) var encrypted: Set<String> = []
        private var files: [String: String] = [:]
        private var spine: [String] = []

        var chapters: [String] { spine.compactMap { files[$0] } }

        func start(_ name: String, _ attributes: MarkupAttributes) {
            switch name {
            case "rootfile": root = root ?? attributes["full-path"]
            case "CipherReference" where encrypted.count < Self.maximumFiles:
                if let uri = attributes["URI"] { encrypted.insert(uri) }
            case "item" where files.count < Self.maximumFiles:
                guard let id = attributes["id"], let reference = attributes["href"] else { return }
                files[id] = PartName.resolve(Self.decoded(reference), from: root ?? "")
            case "itemref" where spine.count < Self.maximumFiles:
                if let id = attributes["idref"] { spine.append(id) }
            default: break
            }
        }

        func end(_ name: String) {}
        func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}

        /// The text without percent escapes.
        private static func decoded(_ text: String) -> String {
            var bytes: [UInt8] = []
            var rest = Substring(text).utf8
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "%"),
                    let hex = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                {
                    bytes.append(hex)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
