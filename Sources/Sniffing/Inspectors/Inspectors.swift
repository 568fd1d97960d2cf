internal import ShareModel

/// All inspectors, in the order in which they are asked. To add one, add a file beside this one and its name here.
struct Inspectors: Sendable {
    static let all = Inspectors([
        // From nothing at all.
        SignatureInspector(), TextSignatureInspector(), ScriptInspector(),
        // Into containers.
        ZipInspector(), OLEInspector(), PropertyListInspector(), PDFInspector(),
        // Text, and into it.
        PlainTextInspector(), XMLInspector(), LinkFileInspector(), MailInspector(), JSONInspector(),
        SubtitleInspector(), SeparatedValuesInspector(), HTMLInspector(),
    ])

    private let byStart: [MediaType: [any Inspector]]
    let list: [any Inspector]

    init(_ list: [any Inspector]) {
        self.list = list
        var byStart: [MediaType: [any Inspector]] = [:]
        for inspector in list {
            for start in inspector.starts { byStart[start, default: []].append(inspector) }
        }
        self.byStart = byStart
    }

    /// Those that can refine a conclusion, in order.
    func starting(from type: MediaType) -> [any Inspector] { byStart[type] ?? [] }
}
