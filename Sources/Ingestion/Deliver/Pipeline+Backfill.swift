internal import Files
public import GroupContainer
internal import SinkHost
internal import SinkKit

extension Pipeline {
    /// Opens deliveries to one sink of the content that is already there, so that a new or updated sink gets it.
    /// ``deliver(retrying:pace:opened:report:)`` makes them.
    ///
    /// A package has a delivery for each group that the sink would get if the package came in now. A version of a sink gets
    /// each of them once: a call that was interrupted is continued by the next one.
    ///
    /// - Parameters:
    ///   - sink: the identifier of the sink.
    ///   - packages: the numbers of packages, of which those count that no other package has replaced; `nil` for all.
    ///   - isTrial: whether to count alone.
    ///   - report: called with the number of packages that were looked at, and their total.
    /// - Throws: ``IngestionError`` if the container fails, or has no such sink; `CancellationError`, after the deliveries
    ///   of the packages that were looked at.
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
            let numbers = try await BlockingCall.run { try packages?.sorted() ?? queue.currentPackages() }
            let backfill = Backfill(
                queue: queue, router: Router(registry: registry), sink: installed.manifest, isTrial: isTrial)
            var result = BackfillReport(installed.manifest)
            for start in stride(from: 0, to: numbers.count, by: Backfill.page) {
                try Task.checkCancellation()
                let page = Array(numbers[start..<min(start + Backfill.page, numbers.count)])
                result += try await BlockingCall.run { try backfill.open(page) }
                await report(start + page.count, numbers.count)
            }
            return result
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
    let isTrial: Bool

    /// The number of packages whose deliveries share a transaction. Every other writer waits for its end.
    static let page = 250

    func open(_ packages: [Int64]) throws -> BackfillReport {
        var report = BackfillReport(sink)
        var deliveries: [BackfillDelivery] = []
        for package in try queue.receipts(ofCurrent: packages) {
            do {
                let receipt = try package.receipt(as: DeliveredPackage.self)
                deliveries += proposals(of: receipt).map { BackfillDelivery(package: package.number, $0) }
            } catch let error as ContainerError where error.code == .catalog {
                report.unreadable += 1
            }
        }
        report.count = try queue.open(deliveries, version: sink.version, isTrial: isTrial)
        return report
    }

    /// A delivery for each group that the sink gets.
    private func proposals(of package: DeliveredPackage) -> [DeliveryProposal] {
        package.groups.compactMap { group in
            let members = group.providers.compactMap(package.provider)
            guard let lead = members.first, members.count == group.providers.count, let type = lead.type,
                router.sinks(for: type).contains(where: { $0.id == sink.id })
            else { return nil }
            return DeliveryProposal(
                of: package.id, to: sink.id, lead: lead.index, parts: members.compactMap(\.sha256),
                roles: GroupPolicy.standard.roles(rule: group.rule, types: members.map(\.type)))
        }
    }
}

/// The result of a backfill.
public struct BackfillReport: Sendable, Equatable, Codable {
    /// The sink's identifier.
    public var sink: String
    /// The version of the sink.
    public var version: String
    /// The deliveries that were opened, and the others.
    public var count = BackfillCount()
    /// The number of packages whose record cannot be read.
    public var unreadable = 0

    /// A result without a delivery.
    public init(sink: String, version: String) { (self.sink, self.version) = (sink, version) }

    fileprivate init(_ sink: SinkManifest) { self.init(sink: sink.id, version: sink.version) }

    fileprivate static func += (left: inout BackfillReport, right: BackfillReport) {
        left.count += right.count
        left.unreadable += right.unreadable
    }
}
