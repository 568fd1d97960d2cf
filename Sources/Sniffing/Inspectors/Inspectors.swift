internal import ShareModel

/// All inspectors, in the order in which the sniffer calls them. To add one, add a file beside this one and its name
/// here.
struct Inspectors: Sendable {
    static let all = Inspectors([
        // These start from unknown content.
        SignatureInspector(), ISOMediaInspector(), RIFFInspector(), MatroskaInspector(), OggInspector(),
        ASFInspector(), ExecutableInspector(), AudioFrameInspector(), LayoutInspector(), TextSignatureInspector(),
        ScriptInspector(),
        // These start from unknown content, after libmagic has failed.
        LateFrameInspector(), EBCDICInspector(),
        // These look into containers.
        ZipInspector(), OLEInspector(), PropertyListInspector(), TIFFInspector(),
        // These recognize text and look into it.
        PlainTextInspector(), XMLInspector(), LinkFileInspector(), MailInspector(), JSONInspector(),
        SubtitleInspector(), SeparatedValuesInspector(), HTMLInspector(), ArmorInspector(),
        // This one looks after other bytes, if those have no type themselves.
        PDFInspector(),
    ])

    private let byStart: [MediaType: [any Inspector]]
    /// The inspectors that start from unknown content after libmagic has failed.
    let lastResorts: [any Inspector]
    let list: [any Inspector]

    init(_ list: [any Inspector]) {
        self.list = list
        var byStart: [MediaType: [any Inspector]] = [:]
        for inspector in list {
            for start in inspector.starts where start != .unknown || !inspector.isLastResort {
                byStart[start, default: []].append(inspector)
            }
        }
        lastResorts = list.filter { $0.isLastResort && $0.starts.contains(.unknown) }
        self.byStart = byStart
    }

    /// The inspectors that can refine a conclusion, in order.
    func starting(from type: MediaType) -> [any Inspector] { byStart[type] ?? [] }
}
