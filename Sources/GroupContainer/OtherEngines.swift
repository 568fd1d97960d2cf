internal import SQLite

/// The engines of a container that keep their state outside of it. The row `engines` of the table `meta` names them.
///
/// The local engines know only the container's own files and rows, and so do all maintenance calls. A repair would find no
/// object of another store, and record each as lost. A collection would find no row of another catalog or queue, and remove
/// the objects that it names.
package struct OtherEngines {
    /// The word for a catalog of another engine.
    static let catalog = "catalog"

    private let names: Set<String>

    /// Those of `engines` that are not the local engines of this container.
    init(among engines: ContainerEngines, _ local: LocalContainer) {
        let (objects, reader) = (engines.objects as? LocalObjectStore, local.database.reader)
        var names: Set<String> = []
        if objects?.layout.root != local.layout.root { names.insert("objects") }
        if (engines.catalog as? SQLiteCatalog)?.database.reader !== reader { names.insert(Self.catalog) }
        if (engines.deliveries as? SQLiteDeliveryQueue)?.database.reader !== reader { names.insert("deliveries") }
        // The circuit breakers do not count: a program without them tries a sink too early, and loses nothing.
        self.names = names
    }

    /// Whether all engines are local.
    var isEmpty: Bool { names.isEmpty }

    /// Records these engines durably.
    ///
    /// - Throws: ``ContainerError`` with code `otherEngines` if the container has one that is not among these.
    func record(in local: LocalContainer) throws {
        guard try !local.database.read({ try isRecorded($0, local.layout) }) else { return }
        try local.database.write { database in
            // Again, since another process may have recorded its engines meanwhile.
            guard try !isRecorded(database, local.layout) else { return }
            try MetaRow.set(database, MetaRow.engines, names.sorted().joined(separator: " "))
        }
    }

    private func isRecorded(_ database: Database, _ layout: ContainerLayout) throws -> Bool {
        let recorded = try Self.recorded(database)
        guard recorded.isSubset(of: names) else { throw Self.refusal(recorded.subtracting(names), layout) }
        return recorded == names
    }

    /// Refuses a container that has other engines.
    ///
    /// - Parameter engine: the only engine that counts; `nil` for all.
    /// - Throws: ``ContainerError`` with code `otherEngines` if it has any.
    package static func refuse(_ database: CatalogDatabase, _ layout: ContainerLayout, onlyFor engine: String? = nil)
        throws
    {
        let recorded = try database.read(recorded)
        guard recorded.isEmpty || engine.map({ !recorded.contains($0) }) ?? false else {
            throw refusal(recorded, layout)
        }
    }

    private static func recorded(_ database: Database) throws -> Set<String> {
        Set(try MetaRow.fetch(database, MetaRow.engines)?.split(separator: " ").map(String.init) ?? [])
    }

    private static func refusal(_ names: Set<String>, _ layout: ContainerLayout) -> ContainerError {
        ContainerError(
            .otherEngines,
            "the \(names.sorted().joined(separator: " and ")) of \(layout.root) are kept outside of it by other engines; "
                + "use the program that has these engines")
    }
}
