internal import Files
public import GroupContainer
internal import SinkHost
internal import SinkKit

extension Pipeline {
    /// Opens deliveries to one sink of the content that is already there, so that a new or updated sink gets it.
    /// ``deliver(retrying:pace:opened:report:)`` makes them.
    ///
    /// A package has a delivery for each group that the sink would get if the package came in now. One that the present version
    /// of the sink has ended is not opened again. So a call that was interrupted is continued by the next one.
    ///
    /// - Parameters:
    ///   - sink: the identifier of the sink.
    ///   - packages: the numbers of packages, of which those count that no other package has replaced; `nil` for all.
    ///   - isTrial: whether to count alone.
    ///   - report: called with the number of packages that were looked at, and their total.
    /// - Returns: what was opened, also if the task was canceled; see ``BackfillReport/isCut``.
    /// - Throws: ``IngestionError`` if the container fails, or has no such sink; `CancellationError` before the container is
    ///   open.
    public func backfill(
        _ sink: String, of packages: [Int64]? = nil, isTrial: Bool = false,
        report: @escaping @Sendable (_ done: Int, _ total: Int) async -> Void
    ) async throws -> BackfillReport {
        do {
            guard let installed = registry[sink] else {
                throw IngestionError(.notFound, "no enabled sink has the identifier '\(sink)'", remedy: .listSinks)
            }
            let container = try await openContainer()
            guard let queue = container.deliveries as? any BackfillQueue else {
                throw IngestionError(.usage, "the engine of this container's deliveries has no backfill")
            }
            let backfill = Backfill(
                queue: queue, router: Router(registry: registry), sink: installed.manifest, accounts: accounts,
                isTrial: isTrial)
            return try await backfill.run(packages, report)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw IngestionError(error)
        }
    }
}

/// Opens the deliveries of packages to one sink.
private struct Backfill: Sendable {
    let queue: any BackfillQueue
    let router: Router
    let sink: SinkManifest
    let accounts: AccountBook
    let isTrial: Bool

    /// The number of packages between two reports.
    private static let page = 250
    /// The number of deliveries that one transaction opens. Every other writer waits for its end.
    private static let step = 1_000

    func run(
        _ packages: [Int64]?, _ report: @escaping @Sendable (_ done: Int, _ total: Int) async -> Void
    ) async throws -> BackfillReport {
        let numbers = try await BlockingCall.run { try packages?.sorted() ?? queue.currentPackages() }
        var result = BackfillReport(sink)
        for start in stride(from: 0, to: numbers.count, by: Self.page) {
            guard !Task.isCancelled else {
                result.isCut = true
                break
            }
            let page = numbers[start..<min(start + Self.page, numbers.count)]
            result += try await BlockingCall.run { try open(page) }
            await report(page.endIndex, numbers.count)
        }
        return result
    }

    private func open(_ packages: ArraySlice<Int64>) throws -> BackfillReport {
        var report = BackfillReport(sink)
        var proposed: [BackfillDelivery] = []
        for number in packages {
            guard let package = try queue.receipt(ofCurrent: number) else { continue }
            report.packages += 1
            do {
                let receipt = try package.receipt(DeliveredPackage.init)
                proposed += proposals(of: receipt).map { BackfillDelivery(package: number, $0) }
            } catch let error as ContainerError where error.code == .catalog {
                report.unreadable += 1
            }
            while proposed.count >= Self.step { try open(&proposed, &report) }
        }
        try open(&proposed, &report)
        return report
    }

    /// Opens the first of the deliveries, and removes them from the list.
    private func open(_ proposed: inout [BackfillDelivery], _ report: inout BackfillReport) throws {
        let step = Array(proposed.prefix(Self.step))
        proposed.removeFirst(step.count)
        report.count += try queue.open(step, version: sink.version, isTrial: isTrial)
    }

    /// A delivery for each group that the sink gets.
    private func proposals(of package: DeliveredPackage) -> [DeliveryProposal] {
        package.groups.compactMap { group in
            let members = group.providers.compactMap(package.provider(withIndex:))
            guard let lead = members.first, members.count == group.providers.count, let type = lead.type,
                router.sinks(for: type).contains(where: { $0.id == sink.id })
            else { return nil }
            return DeliveryProposal(
                of: package.id, to: sink.id, lead: lead.index, parts: members.compactMap(\.sha256),
                roles: GroupPolicy.standard.roles(rule: group.rule, types: members.map(\.type)),
                login: accounts.login(of: sink.id))
        }
    }
}

/// The result of a backfill.
public struct BackfillReport: Sendable, Equatable {
    /// The sink's identifier.
    public var sink: String
    /// The version of the sink.
    public var version: String
    /// The deliveries that were opened, and the others.
    public var count = BackfillCount()
    /// The number of packages that were looked at.
    public var packages = 0
    /// The number of packages whose record cannot be read.
    public var unreadable = 0
    /// Whether the task was canceled before all packages were looked at.
    public var isCut = false

    /// A result without a delivery.
    public init(sink: String, version: String) { (self.sink, self.version) = (sink, version) }

    fileprivate init(_ sink: SinkManifest) { self.init(sink: sink.id, version: sink.version) }

    fileprivate static func += (left: inout BackfillReport, right: BackfillReport) {
        left.count += right.count
        left.packages += right.packages
        left.unreadable += right.unreadable
    }
}

/// One JSON object, with the counts beside the other values.
extension BackfillReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case sink, version, packages, unreadable
        case isCut = "cut"
    }

    /// Reads what ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            sink: values.decode(String.self, forKey: .sink), version: values.decode(String.self, forKey: .version))
        packages = try values.decode(Int.self, forKey: .packages)
        unreadable = try values.decode(Int.self, forKey: .unreadable)
        isCut = try values.decode(Bool.self, forKey: .isCut)
        count = try BackfillCount(from: decoder)
    }

    /// Writes the object.
    public func encode(to encoder: any Encoder) throws {
        try count.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(sink, forKey: .sink)
        try values.encode(version, forKey: .version)
        try values.encode(packages, forKey: .packages)
        try values.encode(unreadable, forKey: .unreadable)
        try values.encode(isCut, forKey: .isCut)
    }
}
