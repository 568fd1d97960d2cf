internal import Files
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// A delivery with its files on disk: its parts in `in/<number>/<place>`, and a folder for its products, `out/<number>`.
struct LaidOutDelivery {
    let message: Delivery
    private let folder: ProbeFolder
    private let number: Int
    /// The digests of the parts before the sink saw them, by name.
    private let before: [FilePath: Digest]

    private var content: FilePath { folder.content(number) }
    private var out: FilePath { folder.work.out(number) }

    init(
        _ input: ConformanceInput, number: Int, key: String, attempt: Int, in folder: ProbeFolder, withContent: Bool
    ) throws {
        self.folder = folder
        self.number = number
        let (content, out) = (folder.content(number), folder.work.out(number))
        for place in [content, out] { try folder.make(place) }
        var before: [FilePath: Digest] = [:]
        let parts = try input.parts.enumerated().map { place, part in
            // As in a real delivery, each part has its own name, and a folder of its own, so two parts may have one name.
            try folder.make(content.appending("\(place)"))
            let name = FilePath("\(place)").appending(part.name)
            let path = try folder.write(part.bytes, to: content.pushing(name))
            let digest = Digest(of: part.bytes)
            before[name] = digest
            return Delivery.Part(
                role: part.role, path: withContent ? path : nil, name: part.name, type: part.type,
                size: Int64(part.bytes.count), sha256: digest.description)
        }
        self.before = before
        message = Delivery(
            id: "d\(number)", key: key, attempt: attempt, title: input.title, text: input.text, parts: parts,
            out: withContent ? folder.work.launch.inside(out).string : "")
    }

    /// The answer with the products, and the sink's changes to the content.
    func finding(_ answer: SinkMessage, _ limits: DeliveryLimits) throws -> DeliveryFinding {
        var products: [DeliveryFinding.Made] = []
        if case .done(let done) = answer {
            products = (done.products ?? []).map {
                DeliveryFinding.Made($0, below: out, limit: limits.productBytes, on: folder.work.fileSystem)
            }
        }
        return DeliveryFinding(
            answer: answer, products: products, filesInOut: FolderListing(out, limit: limits.products + 1).names.count,
            trespasses: trespasses())
    }

    private func trespasses() -> [String] {
        var found: [String] = []
        let after = FolderListing(content).names
        for name in after where before[name] == nil { found.append("\(name) in the folder of the content") }
        for (name, digest) in before.sorted(by: { $0.key.string < $1.key.string }) {
            let now = try? folder.work.fileSystem.digest(of: content.pushing(name)).digest
            if now != digest { found.append("\(name), the content, is \(now == nil ? "gone" : "another")") }
        }
        return found
    }
}
