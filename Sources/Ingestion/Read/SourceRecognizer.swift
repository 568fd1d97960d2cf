internal import GroupContainer
internal import Reading
internal import ShareModel

/// Recognizes files that have not changed since they came in. They need not be read again.
struct SourceRecognizer: Sendable {
    let catalog: any Catalog
    /// The container that must have the content of recognized files; `nil` for a plan, which reads each file that was not
    /// forgotten.
    let container: Container?
    let router: Router
    let run: String
    /// Whether the run gives packages a title or a text, or tags. Then a file that has not changed may be another package,
    /// or gets tags.
    let describes: Bool
    /// The login under which a new delivery to a sink would go out; `nil` if it needs none.
    let login: @Sendable (_ sink: String) -> AccountUser?

    /// Looks the inputs up in the catalog.
    ///
    /// - Returns: for each input, in order, its receipt as a duplicate or as a forgotten package that a walk skips, or
    ///   `nil` if it must be read.
    func recognize(_ inputs: [ReadInput]) throws -> [Receipt?] {
        var known: [Receipt?] = Array(repeating: nil, count: inputs.count)
        var places: [Int] = []
        var sources: [(source: PackageSource, stamp: SourceStamp)] = []
        for (place, input) in inputs.enumerated() {
            // A bag's files are checked against its manifest even if they are known. A container's receipt has no
            // stamp.
            guard case .package(let package, parts: nil) = input, let stamp = package.source.stamp,
                package.source.bag == nil
            else { continue }
            places.append(place)
            sources.append((package.source, stamp))
        }
        guard !sources.isEmpty else { return known }
        // The lock keeps the content from removal until it has been checked.
        let lock = try container?.lock(.objects, .shared)
        defer { withExtendedLifetime(lock) {} }
        for (place, receipt) in zip(places, try receipts(of: sources)) { known[place] = receipt }
        return known
    }

    /// The receipts of the sources that need not be read.
    private func receipts(of sources: [(source: PackageSource, stamp: SourceStamp)]) throws -> [Receipt?] {
        let found = try catalog.recognize(sources)
        let walked = zip(sources, found).filter { $0.0.source.isFound && $0.1 == nil }.map(\.0.stamp)
        let forgotten = walked.isEmpty ? [] : try catalog.forgottenSources(among: Set(walked))
        return try zip(sources, found).map { (file, found) -> Receipt? in
            guard let found else {
                return file.source.isFound && forgotten.contains(file.stamp) ? Receipt.forgotten(file.source) : nil
            }
            guard let container, !describes else { return nil }
            let receipt = ReceiptComposer.receipt(of: file.source, unchangedSince: found, run: run)
            return try isWhole(receipt, in: container) ? receipt : nil
        }
    }

    /// Whether the content of all files is still there, and every sink that would get it has it. Otherwise the files
    /// are read again, which repairs both. What only a bag says of a sink does not count.
    private func isWhole(_ receipt: Receipt, in container: Container) throws -> Bool {
        // The files of one source are delivered together, by the type of the first.
        guard let lead = receipt.providers.first, let type = lead.type else { return false }
        let isDelivered = router.sinks(for: type).allSatisfy { sink in
            let login = login(sink.id)
            return lead.deliveries.contains { $0.sink == sink.id && $0.isUnconfirmed != true && $0.serves(login) }
        }
        return try isDelivered
            && receipt.providers.allSatisfy { file in
                try file.sha256.map { try container.objects.size($0) == file.size } ?? false
            }
    }
}

extension DeliveryRecord {
    /// Whether the delivery is for a person, or for none in particular. An open one that is nobody's yet may become another one's.
    fileprivate func serves(_ person: AccountUser?) -> Bool {
        person == nil || login == person || login == nil && outcome != .pending
    }
}
