internal import GRDB
public import ShareModel

/// Those who follow the feed under a name: the container remembers what each has seen.
///
/// An observer costs a row, and nothing where it does not come; it never holds a writer up.
public struct Observers: Sendable {
    /// How many there may be.
    public static let limit = 1_000
    /// The longest name, in bytes.
    public static let nameLimit = 64

    let database: CatalogDatabase

    /// Whether a name is one: small letters, digits, `.`, `-`, `_`, the first of them a letter or digit.
    public static func isName(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, bytes.count <= nameLimit else { return false }
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789".utf8
        return letters.contains(first) && bytes.allSatisfy { letters.contains($0) || ".-_".utf8.contains($0) }
    }

    /// What the observer has seen; `nil` for one that never came.
    public func cursor(_ name: String) throws -> ChangeCursor? {
        try database.read { database in
            try Row.fetchOne(database, sql: "SELECT epoch, seen FROM observer WHERE name = ?", arguments: [name])
                .map { ChangeCursor(epoch: $0["epoch"], number: $0["seen"]) }
        }
    }

    /// Remembers what the observer has seen, durably.
    ///
    /// - Throws: ``ContainerError`` where there are too many observers.
    public func set(_ name: String, _ cursor: ChangeCursor) throws {
        try database.write { database in
            let update = "UPDATE observer SET epoch = ?, seen = ? WHERE name = ?"
            try database.execute(sql: update, arguments: [cursor.epoch ?? "", cursor.number, name])
            guard database.changesCount == 0 else { return }
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM observer") ?? 0
            guard count < Self.limit else {
                throw ContainerError(
                    .catalog, "there are \(count) observers, and no more may be; use a name that is there already")
            }
            try database.execute(
                sql: "INSERT INTO observer (epoch, seen, name) VALUES (?, ?, ?)",
                arguments: [cursor.epoch ?? "", cursor.number, name])
        }
    }

    /// Forgets what the observer has seen.
    func remove(_ name: String) throws {
        try database.write { try $0.execute(sql: "DELETE FROM observer WHERE name = ?", arguments: [name]) }
    }
}
