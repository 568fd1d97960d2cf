internal import GroupContainer
internal import SQLite
internal import ShareModel

/// Looks for damaged records: values of another type, unknown words, values that no program writes, and damaged JSON.
///
/// Other records can still be read, and objects can be checked.
struct RecordCheck {
    let database: Database

    private static let forget =
        "forget the packages named here and take their sources in again, or " + CatalogCheck.restore

    /// The faults that SQL finds alone, in the order of the tables.
    func findings() throws -> [CareFinding] { try types() + words() + values() + shelf() }

    // MARK: Types

    /// Finds values whose type is not that of their column.
    private func types() throws -> [CareFinding] {
        try database.tables().flatMap { table in
            let columns = try Row.fetchAll(
                database, sql: "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", arguments: [table])
            let conditions = try columns.map { column in
                try (name: column.value("name") as String, isDamaged: Self.isOtherType(table, column))
            }
            // One scan of the table tells which columns have such values.
            let counts = conditions.map { "total(\($0.isDamaged))" }.joined(separator: ", ")
            let row = try Row.fetchOne(database, sql: "SELECT \(counts) FROM \"\(table)\"")
            return try conditions.indices.filter { place in row?[place] != .real(0) }.compactMap { place in
                let (name, isDamaged) = conditions[place]
                return try finding(table, "its column '\(name)' holds a value of another type", where: isDamaged)
            }
        }
    }

    /// SQL for a value that has another type than its column. `PRAGMA integrity_check` reports `NULL`s.
    private static func isOtherType(_ table: String, _ column: Row) throws -> String {
        let (name, type): (String, String) = try (column.value("name"), column.value("type"))
        return table == "object" && name == "sha256"
            ? isNoDigest(name) : "typeof(\"\(name)\") NOT IN ('\(type.lowercased())', 'null')"
    }

    /// SQL for a value that is not the name of an object.
    static func isNoDigest(_ column: String) -> String { "(typeof(\(column)) <> 'blob' OR length(\(column)) <> 32)" }

    // MARK: Words

    /// Finds words that this program does not know.
    private func words() throws -> [CareFinding] {
        try words("package", "source_kind", PackageSource.Kind.self) + words("package", "outcome", PackageOutcome.self)
            + words("provider", "outcome", ProviderOutcome.self)
            + words("delivery", "outcome", DeliveryOutcome.self) + words("delivery", "containment", Containment.self)
            + words("sighting", "source_kind", PackageSource.Kind.self)
            + words("tag", "word") { PackageTag($0) != nil }
    }

    private func words<Word: RawRepresentable<String>>(_ table: String, _ column: String, _ type: Word.Type) throws
        -> [CareFinding]
    {
        try words(table, column) { Word(rawValue: $0) != nil }
    }

    private func words(_ table: String, _ column: String, isKnown: (String) -> Bool) throws -> [CareFinding] {
        let words = try String.fetchAll(
            database,
            sql: "SELECT DISTINCT \(column) FROM \(table) WHERE typeof(\(column)) = 'text' ORDER BY \(column)")
        return try words.filter { !isKnown($0) }.compactMap { word in
            try finding(
                table, "its column '\(column)' holds the word '\(word)', which this program does not know",
                where: "\(column) = ?", [word], action: .updateProgram)
        }
    }

    // MARK: Values

    /// Finds values of the right type that no program writes.
    private func values() throws -> [CareFinding] {
        try Self.impossible.compactMap { table, fault, condition in
            try finding(table, fault, where: condition, state: Self.damaged)
        }
    }

    private static let damaged = "damaged"

    /// Finds paths of the library that no file can have there.
    private func shelf() throws -> [CareFinding] {
        let rows = try Row.fetchCursor(database, sql: "SELECT key, path FROM shelf WHERE typeof(path) = 'text'")
        var keys: [String] = []
        while let row = try rows.next() {
            if let path: String = row.readable("path"), LibraryFolder.isPath(path) { continue }
            if let key: String = row.readable("key") { keys.append(key) }
        }
        // A path with a zero byte ends there when it is read.
        let condition =
            "typeof(path) = 'text' AND (key IN (SELECT value FROM json_each(?)) OR instr(path, char(0)) > 0)"
        let found = try finding(
            "shelf", "its path is not one of the library", where: condition, [CatalogJSON.encode(keys)],
            state: Self.damaged)
        return found.map { [$0] } ?? []
    }

    /// SQL for rows with such a value. A value of another type is none: ``types()`` finds it.
    private static let impossible: [(table: String, fault: String, condition: String)] =
        [
            ("package", "its identifier is empty", "id = ''"),
            ("package", "it replaces itself", "id = supersedes OR id = superseded_by"),
            ("provider", "its place is negative", "typeof(place) = 'integer' AND place < 0"),
            ("delivery", "its identifier is empty", "id = ''"),
            ("delivery", "it follows itself", "leader = seq"),
            (
                "delivery", "its package has no content at its place",
                """
                typeof(lead) = 'integer' AND NOT EXISTS (
                    SELECT 1 FROM provider WHERE provider.package = delivery.package AND place = lead)
                """
            ),
        ]
        + ["package", "sighting"].map {
            ($0, "its time of arrival is not a time", "typeof(received) = 'text' AND received NOT GLOB '\(time)'")
        }
        + numbers.flatMap { table, columns in
            columns.map {
                (
                    table, "its column '\($0)' holds an impossible number",
                    "typeof(\($0)) = 'integer' AND \(Row.isImpossible($0))"
                )
            }
        }

    /// The columns with counts and times.
    private static let numbers = [
        ("package", ["bytes"]), ("delivery", ["attempts", "deaths", "failures", "due", "fence"]),
        ("held_sink", ["failures", "due"]),
    ]

    /// The beginning of a time in ISO 8601, as a pattern.
    private static let time = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*"

    // MARK: JSON

    /// A column with JSON.
    struct JSONColumn: Sendable {
        let table: String
        let column: String
        let isWhole: @Sendable (String) -> Bool

        static let all = [
            JSONColumn(table: "package", column: "receipt") { (try? CatalogJSON.receipt($0)) != nil },
            JSONColumn(table: "delivery", column: "metadata") { (try? CatalogJSON.value($0, "metadata")) != nil },
        ]
    }

    /// The numbers of those of the next rows whose JSON cannot be read, and the number of the last row; `nil` at the end.
    ///
    /// By pages, because decoding takes longer than a transaction may.
    func page(_ json: JSONColumn, after last: Int64, limit: Int) throws -> (damaged: [Int64], last: Int64)? {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT seq, \(json.column) AS text FROM \(json.table)
                WHERE seq > ? AND typeof(\(json.column)) = 'text' ORDER BY seq LIMIT ?
                """, arguments: [last, limit])
        var (damaged, end): ([Int64], Int64?) = ([], nil)
        while let row = try rows.next() {
            let seq: Int64 = try row.value("seq")
            if try !json.isWhole(row.value("text")) { damaged.append(seq) }
            end = seq
        }
        return end.map { (damaged, $0) }
    }

    /// The findings about rows with these numbers, whose JSON cannot be read.
    func findings(_ json: JSONColumn, _ damaged: [Int64]) throws -> [CareFinding] {
        // Whole JSON of another form may come from a newer program; torn JSON does not.
        try [(isTorn: true, words: "torn JSON"), (isTorn: false, words: "JSON that this program does not know")]
            .compactMap { isTorn, words in
                let condition = """
                    seq IN (SELECT value FROM json_each(?)) AND json_valid(\(json.column)) = \(isTorn ? 0 : 1)
                    """
                return try finding(
                    json.table, "its column '\(json.column)' holds \(words)", where: condition,
                    [CatalogJSON.encode(damaged)], action: isTorn ? nil : .updateProgram)
            }
    }
}

extension RecordCheck {
    /// SQL for the number of the package that a row belongs to. No package has the rows of other tables.
    private static let owners = [
        "package": "seq", "provider": "package", "record": "package", "sighting": "package", "delivery": "package",
        "source": "package", "shelf": "package", "tag": "package",
        "product": "(SELECT package FROM delivery WHERE delivery.seq = product.delivery)",
        "object": "(SELECT package FROM provider WHERE provider.object = object.seq)",
    ]

    /// A finding about the rows of a table that meet a condition; `nil` if there is none.
    private func finding(
        _ table: String, _ fault: String, where condition: String, _ arguments: [String] = [],
        state: String? = nil, action: Remedy? = nil
    ) throws -> CareFinding? {
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM \"\(table)\" WHERE \(condition)",
            arguments: StatementArguments(arguments))
        guard let count, count > 0 else { return nil }
        let holders = try Self.owners[table].map { owner in
            try ObjectHolders.packages(
                database, where: "seq IN (SELECT \(owner) FROM \(table) WHERE \(condition))",
                StatementArguments(arguments))
        }
        let remedy =
            switch table {
            case _ where holders == nil: CatalogCheck.restore
            // To forget the packages would be worse than the damage.
            case "source", "sighting", "shelf", "tag": "no content depends on it; to mend it, \(CatalogCheck.restore)"
            default: Self.forget
            }
        let state = state.map { count == 1 ? "is \($0)" : "are \($0)" } ?? "cannot be read"
        return CareFinding(
            .record, "\(count) \(count == 1 ? "record" : "records") of '\(table)' \(state): \(fault)",
            packages: holders?.packages ?? [], morePackages: holders?.more ?? 0, remedy: action?.description ?? remedy,
            action: action)
    }
}

extension Database {
    /// The names of the catalog's own tables, without those of SQLite and of the migrations.
    fileprivate func tables() throws -> [String] {
        try String.fetchAll(
            self,
            sql: """
                SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'grdb_*' ORDER BY name
                """)
    }
}
