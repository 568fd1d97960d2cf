internal import Formats
internal import ShareModel

/// Looks into content that is known roughly, and says what it is more precisely.
///
/// It is asked only where the conclusion so far is one that it ``starts`` from, and can conclude only what it
/// ``concludes``: so none can leave its family.
protocol Inspector: Sendable {
    /// The conclusions that it can refine.
    var starts: Set<String> { get }
    /// The types that it can give.
    var concludes: Set<String> { get }

    /// What the content is, or `nil` where this inspector has nothing to add.
    ///
    /// - Throws: when the content cannot be read. Damaged content is no error.
    func inspect(_ sample: Sample) throws -> Finding?
}

/// What an inspector found, and where.
struct Finding: Hashable {
    var type: String
    /// In words: `property list: key URL at the top`.
    var basis: String
}

/// Content with its first bytes, read once for everybody.
struct Sample {
    let content: ContentBytes
    /// The first bytes, at most ``MagicSniffer/window``.
    let head: [UInt8]
}

/// All inspectors, in the order in which they are asked. To add one, add a file beside this one and its name here.
enum Inspectors {
    static let all: [any Inspector] = [
        PropertyListInspector(), XMLInspector(), PDFInspector(), ZipInspector(), OLEInspector(),
        LinkFileInspector(),
    ]
}
