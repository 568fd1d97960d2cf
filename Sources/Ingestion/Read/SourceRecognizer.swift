internal import GroupContainer
internal import Reading
internal import ShareModel

/// Knows files again that came in before and stand as they stood then, so that they need not be read.
struct SourceRecognizer: Sendable {
    let container: Container
    let router: Router
    let run: String

    /// The receipts of those that are known, as duplicates; in the order of the inputs, `nil` for those to be read.
    func recognize(_ inputs: [ReadInput]) throws -> [Receipt?] {
        var known: [Receipt?] = Array(repeating: nil, count: inputs.count)
        var places: [Int] = []
        var sources: [(source: PackageSource, stamp: SourceStamp)] = []
        for (place, input) in inputs.enumerated() {
            // A bag's files are checked against its manifest even if they are known. A container's receipt has no stamp.
            guard case .package(let package, parts: nil) = input, let stamp = package.source.stamp,
                package.source.bag == nil
            else { continue }
            places.append(place)
            sources.append((package.source, stamp))
        }
        guard !sources.isEmpty else { return known }
        // What is found here is not to be removed until it is known to be whole.
        return try container.withLock(.objects, .shared) {
            let found = try container.catalog.recognize(sources)
            for ((place, found), (source, _)) in zip(zip(places, found), sources) {
                guard let found else { continue }
                let receipt = ReceiptComposer.receipt(of: source, unchangedSince: found, run: run)
                if try isWhole(receipt) { known[place] = receipt }
            }
            return known
        }
    }

    /// Whether its content is still there, and every sink that would get it has it; else it is read, which mends both.
    private func isWhole(_ receipt: Receipt) throws -> Bool {
        guard let provider = receipt.providers.first, let digest = provider.sha256, let type = provider.type else {
            return false
        }
        let sinks = Set(provider.deliveries.map(\.sink))
        return try router.sinks(for: type).allSatisfy { sinks.contains($0.id) }
            && container.objects.size(digest) == provider.size
    }
}
