package import ShareModel

/// A queue that can open deliveries of packages that are already there, so that a new or updated sink gets old content.
/// Calls block their thread.
///
/// The local engine is one. A container whose deliveries have another engine has no backfill, unless that engine is one
/// too.
public protocol BackfillQueue: DeliveryQueue {
    /// The numbers of the packages with content that no other package has replaced, in the order in which they were stored.
    func currentPackages() throws -> [Int64]

    /// The receipt of a package; `nil` if it is not current any more.
    func receipt(ofCurrent package: Int64) throws -> BackfillPackage?

    /// Opens deliveries for a version of their sink, in one durable transaction.
    ///
    /// - A delivery that the package lacks is added. If another package has brought the content to the sink, or will, the
    ///   new delivery follows that one.
    /// - A delivery that has ended is opened again, unless this version of the sink ended it, a person dismissed it, or
    ///   another delivery brings the same content to this version. It keeps its products until the sink's next answer. Of a
    ///   duplicate, the delivery that it follows counts.
    /// - An open delivery stays as it is.
    ///
    /// Each call with the same version continues the one before: what is opened is not opened a second time.
    ///
    /// - Parameters:
    ///   - deliveries: each with the number of its package, those of one package next to each other. Every other writer
    ///     waits for this transaction, so there should be few of them. A package that was forgotten meanwhile gets none.
    ///   - isTrial: whether to count alone, and write nothing. A content of several packages may count several times then.
    func open(_ deliveries: [BackfillDelivery], version: String, isTrial: Bool) throws -> BackfillCount
}

/// A package whose content a sink may get.
public struct BackfillPackage: Sendable {
    /// The number of the package.
    public var number: Int64
    /// Its receipt as it was committed, without deliveries, as JSON.
    public var receiptText: String

    /// A package that an engine found.
    public init(number: Int64, receiptText: String) { (self.number, self.receiptText) = (number, receiptText) }

    /// A part of the receipt.
    ///
    /// - Throws: ``ContainerError`` with the code `catalog` if the row is damaged.
    package func receipt<Part>(_ read: (JSONMembers) throws(JSONMisfit) -> Part) throws -> Part {
        try CatalogJSON.receipt(receiptText, read)
    }
}

/// A delivery that a backfill proposes.
public struct BackfillDelivery: Sendable {
    /// The number of the package.
    public var package: Int64
    /// The delivery. If the package has another one with the same lead, the new one gets the payload of that one.
    public var proposal: DeliveryProposal

    /// A delivery of a package.
    public init(package: Int64, _ proposal: DeliveryProposal) { (self.package, self.proposal) = (package, proposal) }
}

/// The deliveries of a backfill, by what became of each.
public struct BackfillCount: Sendable, Equatable, Codable {
    /// Those that were added, or that would be.
    public var added = 0
    /// Those that had ended under another version of the sink, or an unknown one, and were opened again.
    public var again = 0
    /// Those that were open before.
    public var open = 0
    /// Those that need nothing: this version of the sink has ended them, another delivery brings their content, a person
    /// dismissed them, or they cannot be read.
    public var done = 0

    /// No delivery.
    public init() {}

    /// The sum of two counts.
    public static func += (left: inout BackfillCount, right: BackfillCount) {
        left.added += right.added
        left.again += right.again
        left.open += right.open
        left.done += right.done
    }
}
