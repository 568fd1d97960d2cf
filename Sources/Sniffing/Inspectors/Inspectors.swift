internal import ShareModel

/// All inspectors, in the order in which they are asked. To add one, add a file beside this one and its name here.
struct Inspectors: Sendable {
    static let all = Inspectors([
        // From nothing at all.
        SignatureInspector(), ISOMediaInspector(), RIFFInspector(), MatroskaInspector(), OggInspector(),
        ASFInspector(), ExecutableInspector(), AudioFrameInspector(), LayoutInspector(), TextSignatureInspector(),
        ScriptInspector(),
        // From nothing, where libmagic knows nothing either.
        LateFrameInspector(),
        // Into containers.
        ZipInspector(), OLEInspector(), PropertyListInspector(), TIFFInspector(),
        // Text, and into it.
        PlainTextInspector(), XMLInspector(), LinkFileInspector(), MailInspector(), JSONInspector(),
        SubtitleInspector(), SeparatedValuesInspector(), HTMLInspector(),
        // Behind junk, where that is nothing itself.
        PDFInspector(),
    ])

    private let byStart: [MediaType: [any Inspector]]
    /// Those that start from nothing when libmagic has been asked in vain.
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

    /// Those that can refine a conclusion, in order.
    func starting(from type: MediaType) -> [any Inspector] { byStart[type] ?? [] }
}
