internal import ShareModel

/// The names under which the rules conclude types. A claim gives a type the same name, so that one type has one name in
/// all results, whichever of its names the sender or the system's database prefers. A type that no rule concludes has
/// the database's name.
struct ConcludedNames {
    private let database: SharedMIMEDatabase
    private let concluded: Set<MediaType>
    private let byCanonical: [MediaType: MediaType]

    init(database: SharedMIMEDatabase) {
        self.database = database
        concluded = Set(Inspectors.all.list.flatMap(\.concludes))
        // Several concluded types can share a canonical name: the database has one type for all movies in MP4 files.
        byCanonical = Dictionary(grouping: concluded, by: database.canonical).compactMapValues { names in
            names.count == 1 ? names.first : nil
        }
    }

    func name(of type: MediaType) -> MediaType {
        if concluded.contains(type) { return type }
        let canonical = database.canonical(type)
        return byCanonical[canonical] ?? canonical
    }
}
