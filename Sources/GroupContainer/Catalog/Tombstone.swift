package import SQLite
internal import ShareModel

/// The remains of a forgotten package, by which the next walk over its folder skips it.
///
/// The change of the kind `forgotten` has the package's identifier, which is a digest. If a person had given the package a
/// title or a text, a second change has the identifier that it would have without them. Stamps of its files let a walk skip
/// them without reading them. No name, text or content stays.
package enum Tombstone {
    /// Whether a package was forgotten, and has not come in again: neither as it was, nor with other words that a person
    /// gave it.
    ///
    /// - Parameter contents: the content of each of its providers.
    static func exists(_ database: Database, package id: String, contents: [Digest?]) throws -> Bool {
        try exists(database, package: id) && !GivenWords.exist(database, with: contents)
    }

    /// Whether a package was forgotten, and has not come in again as it was.
    private static func exists(_ database: Database, package id: String) throws -> Bool {
        try isRecorded(database, package: id) && !PackageRow.exists(database, id: id)
    }

    /// Whether a change says that the package was forgotten.
    package static func isRecorded(_ database: Database, package id: String) throws -> Bool {
        let sql = "SELECT 1 FROM change INDEXED BY change_forgotten WHERE kind = 'forgotten' AND subject = ? LIMIT 1"
        return try database.number(sql, id) != nil
    }

    /// Whether the file with a stamp belongs to a package that was forgotten, and has not come in again.
    static func exists(_ database: Database, stamp: SourceStamp, machine: Int64) throws -> Bool {
        let query = try database.cachedStatement(
            sql: """
                SELECT package FROM forgotten_source
                WHERE machine = ? AND device = ? AND inode = ? AND size = ? AND modified = ? AND changed = ?
                """)
        let id = try String.fetchOne(
            query,
            arguments: [machine, stamp.device, stamp.inode, stamp.size, stamp.modified, stamp.changed])
        return try id.map { try exists(database, package: $0) } ?? false
    }

    /// Whether a change says of any package that it was forgotten.
    static func haveIdentifiers(_ database: Database) throws -> Bool {
        try database.number("SELECT 1 FROM change INDEXED BY change_forgotten WHERE kind = 'forgotten' LIMIT 1") != nil
    }

    /// Whether any file belongs to a package that was forgotten.
    static func haveStamps(_ database: Database) throws -> Bool {
        try database.number("SELECT 1 FROM forgotten_source LIMIT 1") != nil
    }

    /// Keeps the stamps of the packages' files. Call this before the packages are removed.
    package static func keepStamps(_ database: Database, packages: [Int64]) throws {
        // `CROSS JOIN` keeps SQLite from reading all of `source` for each package.
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO forgotten_source (machine, device, inode, size, modified, changed, package)
                SELECT source.machine, device, inode, size, modified, changed, package.id
                FROM source CROSS JOIN package ON package.seq = source.package
                WHERE source.package IN (SELECT value FROM json_each(?)) AND \(SourceRow.hasStamp)
                """, arguments: [try CatalogJSON.encode(packages)])
    }
}
