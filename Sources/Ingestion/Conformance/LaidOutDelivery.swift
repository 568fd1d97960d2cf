internal import GroupContainer
internal import ShareModel
internal import SinkKit
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import Foundation
#else
internal import Foundation
#endif

/// A delivery whose content lies in folders of its own: `in/` with the parts, `out/` for products.
struct LaidOutDelivery {
    let message: Delivery
    private let root: FilePath
    /// What `in/` held, by name.
    private let before: [String: Digest]

    private var content: FilePath { root.appending("in") }
    private var out: FilePath { root.appending("out") }

    init(
        _ input: ConformanceInput, id: String, key: String, attempt: Int, root: FilePath, withContent: Bool,
        start: SinkStart
    ) throws {
        self.root = root
        let (content, out) = (root.appending("in"), root.appending("out"))
        for folder in [content, out] { try FolderTree.make(folder) }
        var before: [String: Digest] = [:]
        let parts = try input.parts.enumerated().map { place, part in
            let name = place == 0 ? part.name : "\(place)-\(part.name)"
            let file = content.appending(name)
            try Data(part.bytes).write(to: URL(filePath: file.string))
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file.string)
            let digest = Digest(of: part.bytes)
            before[name] = digest
            return Delivery.Part(
                role: part.role, path: withContent ? start.seen(file) : nil, name: part.name, type: part.type,
                size: Int64(part.bytes.count), sha256: digest.description)
        }
        self.before = before
        message = Delivery(
            id: id, key: key, attempt: attempt, title: input.title, text: input.text, parts: parts,
            out: withContent ? start.seen(out) : "")
    }

    /// What the sink made of it.
    func finding(_ answer: SinkMessage, _ limits: IngestLimits) throws -> DeliveryFinding {
        var products: [DeliveryFinding.Made] = []
        if case .done(let done) = answer {
            products = (done.products ?? []).map { DeliveryFinding.Made($0, below: out, limit: limits.productBytes) }
        }
        return DeliveryFinding(
            answer: answer, products: products, filesInOut: FolderListing(out, limit: limits.products + 1).names.count,
            trespasses: trespasses())
    }

    private func trespasses() -> [String] {
        var found: [String] = []
        for name in FolderListing(root).top where name != "in" && name != "out" { found.append("\(name) beside out") }
        let after = FolderListing(content).names
        for name in after where before[name] == nil { found.append("\(name) in the folder of the content") }
        for (name, digest) in before.sorted(by: { $0.key < $1.key }) {
            let now = FileDigest.of(content.appending(name))
            if now != digest { found.append("\(name), the content, is \(now == nil ? "gone" : "another")") }
        }
        return found
    }
}
