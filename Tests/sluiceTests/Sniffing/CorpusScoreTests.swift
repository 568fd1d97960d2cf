import Formats
import Foundation
import ShareModel
import Testing

@testable import Sniffing

@Suite("Identification scores on real-world files")
struct CorpusScoreTests {
    /// The claims that a file is identified with.
    enum Claims: String, CaseIterable {
        case none, honest, lyingName, lyingType, sameLie

        /// The lowest accepted scores in percent: exact type, right class.
        var floor: (type: Double, contentClass: Double) { self == .honest ? (99.0, 99.7) : (97.0, 99.3) }

        func claims(for row: Corpus.Row) -> TypeClaims {
            let lie = Lie.about(row)
            return switch self {
            case .none: TypeClaims()
            case .honest: TypeClaims(declared: row.type, name: row.name)
            case .lyingName: TypeClaims(name: lie.name)
            case .lyingType: TypeClaims(declared: lie.declared)
            case .sameLie: TypeClaims(declared: lie.declared, name: lie.name)
            }
        }
    }

    /// A name and a declared type of another class.
    struct Lie {
        var name: String
        var declared: String
        var contentClass: String

        private static let all = [
            Lie(name: "holiday.jpg", declared: "public.jpeg", contentClass: "image"),
            Lie(name: "report.pdf", declared: "com.adobe.pdf", contentClass: "pdf"),
            Lie(name: "page.html", declared: "text/html", contentClass: "html"),
            Lie(name: "letter.docx", declared: "org.openxmlformats.wordprocessingml.document", contentClass: "office"),
            Lie(name: "song.mp3", declared: "audio/mpeg", contentClass: "audio"),
            Lie(name: "data.zip", declared: "public.zip-archive", contentClass: "archive"),
            Lie(name: "note.txt", declared: "public.plain-text", contentClass: "text"),
            Lie(name: "letter.eml", declared: "message/rfc822", contentClass: "mail"),
        ]

        /// The same lie for the same file in every run.
        static func about(_ row: Corpus.Row) -> Lie {
            let others = all.filter { !row.classes.contains($0.contentClass) }
            return others[row.path.utf8.reduce(0) { ($0 * 31 + Int($1)) % 65_521 } % others.count]
        }
    }

    // The corpus is not part of the project; without it this test is skipped.
    @Test(.enabled(if: Corpus.isPresent, "no corpus: set SLUICE_CORPUS to its folder"), arguments: Claims.allCases)
    func scores(_ claims: Claims) throws {
        let sniffer = try MagicSniffer()
        var score = Score()
        for row in try Corpus.rows() {
            let content = ContentBytes([UInt8](try Data(contentsOf: row.url)))
            score.add(row, try sniffer.identify(content, claims: claims.claims(for: row)))
        }
        print("corpus, claims \(claims): \(score)")
        #expect(score.types >= claims.floor.type, "\(score.misses)")
        #expect(score.classes >= claims.floor.contentClass, "\(score.misses)")
        for (name, count) in score.byClass {
            let isGood = count.misses <= 1 || Double(count.misses) <= 0.05 * Double(count.rows)
            #expect(isGood, "\(name): \(count.misses) of \(count.rows) in another class")
        }
    }

    /// The scores of libmagic on whole files, for comparison.
    @Test(.enabled(if: Corpus.isPresent, "no corpus: set SLUICE_CORPUS to its folder"))
    func scoresAreAboveThoseOfLibmagic() throws {
        let magic = try Magic(window: 7 << 20)
        var alone = Score()
        var sluice = Score()
        let sniffer = try MagicSniffer()
        for row in try Corpus.rows() {
            let bytes = [UInt8](try Data(contentsOf: row.url))
            alone.add(row, Identification(type: magic.type(of: bytes), confidence: .likely, evidence: []))
            sluice.add(row, try sniffer.identify(ContentBytes(bytes), claims: TypeClaims()))
        }
        print("corpus, libmagic alone: \(alone)")
        #expect(sluice.types > alone.types && sluice.classes > alone.classes)
        for (name, count) in alone.byClass {
            let ours = sluice.byClass[name]?.misses ?? 0
            #expect(ours <= count.misses, "\(name): \(ours) in another class, of libmagic \(count.misses)")
        }
    }
}

/// The share of right types and right classes.
struct Score: CustomStringConvertible {
    private var rows = 0
    private var right = (types: 0, classes: 0)
    private(set) var byClass: [String: (rows: Int, misses: Int)] = [:]
    private var missed: [(contentClass: String, text: String)] = []

    /// In percent.
    var types: Double { percent(right.types) }
    /// In percent.
    var classes: Double { percent(right.classes) }
    var description: String { String(format: "%.1f %% exact type, %.1f %% right class", types, classes) }
    /// One line for each class.
    var misses: String {
        missed.sorted { $0.contentClass < $1.contentClass }.map { "\($0.contentClass): \($0.text)" }
            .joined(separator: "\n")
    }

    mutating func add(_ row: Corpus.Row, _ found: Identification) {
        let contentClass = ContentClass(of: found.type).rawValue
        let isRight = (
            type: row.right.contains(found.type.description), contentClass: row.classes.contains(contentClass)
        )
        rows += 1
        right.types += isRight.type ? 1 : 0
        right.classes += isRight.contentClass ? 1 : 0
        let name = row.classes.sorted().joined(separator: "|")
        byClass[name, default: (0, 0)].rows += 1
        byClass[name, default: (0, 0)].misses += isRight.contentClass ? 0 : 1
        guard !isRight.type || !isRight.contentClass else { return }
        missed.append((name, "\(row.path): \(found.type) (\(contentClass)), not \(row.type)"))
    }

    private func percent(_ count: Int) -> Double { 100 * Double(count) / Double(max(rows, 1)) }
}
