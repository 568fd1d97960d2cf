import GroupContainer
import ShareModel
import SystemPackage

// Packages in the form that the pipeline proposes.
extension PackageProposal {
    /// The package is partial if some providers are `lacking`.
    static func accepted(
        _ id: String, _ contents: [String], path: FilePath? = nil, sender: String? = nil, run: String = "r1",
        lacking: Int = 0, sinks: [String] = []
    ) -> PackageProposal {
        var receipt = Receipt(
            id: id, source: .init(kind: .file, path: path ?? "-"), outcome: lacking == 0 ? .accepted : .partial)
        for (index, content) in contents.enumerated() {
            var provider = Receipt.Provider(index: index, name: content, outcome: .stored, reason: "", tried: [])
            provider.sha256 = Digest(of: content)
            provider.size = Int64(content.utf8.count)
            provider.type = .plainText
            receipt.bytes += Int64(content.utf8.count)
            receipt.providers.append(provider)
        }
        for index in 0..<lacking {
            receipt.providers.append(.init(index: contents.count + index, name: "lost", reason: "lost", tried: []))
        }
        let deliveries = sinks.map { sink in
            DeliveryProposal(id: "\(id)-\(sink)", key: "\(sink) \(contents)", sink: sink, lead: 0, payload: "content")
        }
        return PackageProposal(
            receipt: receipt, senderID: sender, sourcePath: path, received: "2026-01-01T00:00:00Z", run: run,
            deliveries: deliveries)
    }

    static func failed(_ id: String, path: FilePath, run: String = "r1") -> PackageProposal {
        PackageProposal(
            receipt: Receipt(id: id, source: .init(kind: .file, path: path), outcome: .failed), senderID: nil,
            sourcePath: path, received: "2026-01-01T00:00:00Z", run: run)
    }
}
