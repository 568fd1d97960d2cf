internal import FoundationEssentials
internal import SQLite
internal import ShareModel
internal import SystemPackage

/// The catalog's rows for the decision about one package, inside one transaction.
///
/// A row is fetched only when the decision needs it, and kept for the writes that follow.
final class SQLiteKnownState: KnownState {
    private let database: Database
    private let machine: Int64
    private var objects: [Digest: Int64?] = [:]
    private var rows: (package: Int64, rows: [DeliveryRow])?
    /// The numbers of deliveries that others may follow, by their identifiers.
    private var leaders: [String: Int64] = [:]

    init(_ database: Database, machine: Int64) {
        self.database = database
        self.machine = machine
    }

    func hasContent(_ digest: Digest) throws -> Bool { try object(digest) != nil }

    /// The number of an object's row; `nil` if there is none.
    private func object(_ digest: Digest) throws -> Int64? {
        if let known = objects[digest] { return known }
        let seq = try ObjectRow.seq(database, digest)
        // An absent row is remembered too, as `nil`.
        objects[digest] = .some(seq)
        return seq
    }

    /// The number of a provider's object; `nil` if the provider has no content.
    func object(_ receipt: Receipt, place: Int) throws -> Int64? {
        guard receipt.providers.indices.contains(place), let digest = receipt.providers[place].sha256 else {
            return nil
        }
        return try object(digest)
    }

    /// Remembers a row that the caller inserted.
    func note(_ digest: Digest, _ seq: Int64) { objects[digest] = .some(seq) }

    /// Remembers a delivery that the caller inserted.
    func note(_ delivery: DeliveryDecision, _ seq: Int64) { leaders[delivery.proposal.id] = seq }

    /// The number of the delivery that a duplicate follows; `nil` for a delivery that is made itself.
    func leader(of delivery: DeliveryDecision) -> Int64? { delivery.duplicateOf.flatMap { leaders[$0] } }

    /// The delivery that a duplicate follows, as it stands; `nil` if the catalog does not have it.
    func leaderRecord(of delivery: DeliveryDecision) throws -> DeliveryRecord? {
        guard let seq = leader(of: delivery) else { return nil }
        return try DeliveryRow.readableRecord(database, seq: seq)
    }

    func currentPackages(of proposal: PackageProposal) throws -> [KnownPackage] {
        try PackageRow.fetchCurrent(database, of: proposal, machine: machine)
    }

    func isRepeated(_ proposal: PackageProposal) throws -> Bool {
        try SourceRow.hasYielded(database, proposal, machine: machine)
    }

    /// A package that a path yielded last, or that came from it first.
    struct Candidate {
        let known: KnownPackage
        let isReplaced: Bool
    }

    /// All packages that a path yielded last or that came from it first, oldest first. A plan may find other ones current
    /// than the catalog does.
    func packages(of path: FilePath) throws -> [Candidate] {
        try PackageRow.candidates(database, of: path, machine: machine)
    }

    /// Whether another path than `path` that yields a package fulfills a condition.
    func isYielded(_ package: Int64, besides path: FilePath, where condition: (FilePath) -> Bool) throws -> Bool {
        try PackageRow.isYielded(database, package, besides: path, machine: machine, where: condition)
    }

    func package(id: String) throws -> KnownPackage? { try PackageRow.fetch(database, id: id) }

    func hasSighting(_ sighting: PackageSighting, of package: KnownPackage) throws -> Bool {
        try SightingRow.exists(database, sighting, package: package.seq, this: machine)
    }

    func words(of package: KnownPackage) throws -> KnownWords? {
        let text = try PackageRow.receiptText(database, seq: package.seq)
        // A damaged receipt, which a verification finds, must not keep a readable package out.
        guard let receipt = try? CatalogJSON.receipt(text) else { return nil }
        return KnownWords(receipt.item)
    }

    func contents(of package: KnownPackage) throws -> Set<Digest> {
        let digests = try Data.fetchAll(
            database,
            sql: "SELECT sha256 FROM provider JOIN object ON object.seq = provider.object WHERE package = ?",
            arguments: [package.seq])
        return Set(try digests.map(Digest.init(blob:)))
    }

    func deliveries(of package: KnownPackage) throws -> [String: KnownDelivery] {
        // The damaged ones too, because they are not made a second time.
        let query = try database.cachedStatement(
            sql: """
                SELECT own.id, made.account, made.user, made.outcome IS 'pending' AS open
                FROM delivery AS own LEFT JOIN delivery AS made ON made.seq = coalesce(own.leader, own.seq)
                WHERE own.package = ? AND typeof(own.id) = 'text'
                """)
        var found: [String: KnownDelivery] = [:]
        let rows = try Row.fetchCursor(query, arguments: [package.seq])
        while let row = try rows.next() {
            let login = try ContainerError.unlessUnreadable { try DeliveryRow.login(row) } ?? nil
            found[try row.value("id")] = KnownDelivery(login: login, isOpen: try row.value("open"))
        }
        return found
    }

    /// The deliveries of a package with their present outcomes, in the order in which they were made.
    func placed(_ package: KnownPackage) throws -> [PlacedDelivery] {
        try deliveryRows(package).map { PlacedDelivery(try $0.record(database, isAbridged: true), lead: $0.lead) }
    }

    /// Drops the kept deliveries. Call this after adding deliveries.
    func forgetDeliveries() { rows = nil }

    private func deliveryRows(_ package: KnownPackage) throws -> [DeliveryRow] {
        if let rows, rows.package == package.seq { return rows.rows }
        let fetched = try DeliveryRow.fetchReadable(database, package: package.seq)
        rows = (package.seq, fetched)
        return fetched
    }

    func delivery(like proposal: DeliveryProposal, of content: Digest?) throws -> String? {
        try made(
            like: proposal, of: content, "outcome IN ('delivered', 'pending') AND NOT (\(DeliveryRow.isUnconfirmed))")
    }

    func unconfirmedDelivery(like proposal: DeliveryProposal, of content: Digest?) throws -> String? {
        try made(like: proposal, of: content, "outcome = 'delivered' AND \(DeliveryRow.isUnconfirmed)")
    }

    /// The identifier of a delivery with the same key and the same sink, for the same person or for nobody yet; `nil` if there is none.
    ///
    /// The index finds one person's at once. With both conditions in one query, SQLite would read the deliveries of all persons.
    private func made(like proposal: DeliveryProposal, of content: Digest?, _ condition: String) throws -> String? {
        let object = try content.flatMap(object)
        let query = "SELECT seq FROM delivery WHERE object IS ?1 AND sink = ?2 AND key = ?3 AND \(condition)"
        guard let login = proposal.login else {
            return try database.number("\(query) LIMIT 1", object, proposal.sink, proposal.key).flatMap(noted)
        }
        let own = try database.number(
            "\(query) AND user = ?4 AND account = ?5 LIMIT 1", object, proposal.sink, proposal.key,
            login.user.storable, login.account.description)
        let found =
            try own
            ?? database.number(
                "\(query) AND user IS NULL LIMIT 1", object, proposal.sink, proposal.key)
        return try found.flatMap(noted)
    }

    func unconfirmedDelivery(like proposal: DeliveryProposal, in package: KnownPackage) throws -> String? {
        for row in try deliveryRows(package) where row.key == proposal.key {
            let made = try row.leader == nil ? row : row.readableLeader(database)
            guard let made, made.isUnconfirmed, made.isFor(proposal.login) else { continue }
            leaders[made.id] = made.seq
            return made.id
        }
        return nil
    }

    /// Opens deliveries that ``PackageDecision`` found to have ended only as a bag says.
    func open(_ deliveries: [String]) throws {
        for id in deliveries {
            if let seq = leaders[id] { try DeliveryRow.open(database, id, seq: seq) }
        }
        if !deliveries.isEmpty { forgetDeliveries() }
    }

    /// Remembers a delivery that others may follow; returns its identifier.
    private func noted(_ seq: Int64) throws -> String? {
        let query = try database.cachedStatement(sql: "SELECT id FROM delivery WHERE seq = ?")
        let id = try String.fetchOne(query, arguments: [seq])
        if let id { leaders[id] = seq }
        return id
    }
}
