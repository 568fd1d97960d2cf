internal import Files
public import ShareModel
public import SystemPackage

/// One arrival of a package: where its content was found, under which names, and from when it is.
///
/// The first arrival is the package itself. An engine records a later one if it differs from all before in its
/// machine, its kind, its path, its names or its time. So a run over an unchanged folder records nothing.
public struct PackageSighting: Sendable, Hashable {
    /// The kind of the source.
    public var kind: PackageSource.Kind
    /// The path of the source; `-` for standard input.
    public var path: FilePath
    /// The machine that the path is on.
    public var machine: SourceMachine
    /// The names of the providers, in their order. Empty for a plain file, whose name is in the path.
    public var names: [String]
    /// The time of the last change of the newest file; `nil` if no file has one.
    public var modified: Timestamp?
    /// The time of the arrival: ISO 8601, UTC.
    public var received: String

    /// The number of bytes of names that an engine keeps.
    static let nameBytes = 64 << 10

    /// The arrival of a proposed package; `nil` for one without content.
    public init?(_ proposal: borrowing PackageProposal) {
        let outcome = proposal.receipt.outcome
        guard outcome == .accepted || outcome == .partial else { return nil }
        kind = proposal.receipt.source.kind
        path = proposal.receipt.source.filePath
        machine = proposal.history?.machine ?? .this
        names = kind == .file ? [] : proposal.receipt.providers.map { $0.suggestedName ?? $0.name }
        modified = proposal.receipt.providers.compactMap(\.modified).max()
        received = proposal.received
    }

    /// An arrival that a bag records.
    public init(_ sighting: Receipt.Sighting, machine: SourceMachine) {
        kind = sighting.source.kind
        path = sighting.source.filePath
        self.machine = machine
        names = sighting.names ?? []
        modified = sighting.modified
        received = sighting.received
    }

    /// The names as the catalog keeps them, each on a line of its own with `␊` for each line feed; `nil` if there are none.
    /// The last names are missing if they do not fit.
    var namesText: String? {
        guard let first = names.first else { return nil }
        var text = Self.line(first).cut(toBytes: Self.nameBytes)
        for name in names.dropFirst() {
            let line = "\n" + Self.line(name)
            guard text.utf8.count + line.utf8.count <= Self.nameBytes else { break }
            text += line
        }
        return text
    }

    private static func line(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "\n")) else { return name.storable }
        return String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\n" ? "\u{240A}" : $0 })).storable
    }

    /// The names in a text that the catalog keeps.
    static func names(in text: String) -> [String] {
        // By bytes: a carriage return at the end of a name and the line feed are one `Character`.
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// A number by which an engine finds an arrival again: the first 63 bits of a SHA-256 over the machine, the kind, the
    /// path, the names and the time.
    ///
    /// A source that cannot be read again has no time of its own. Each arrival of it counts, by the time of arrival.
    public func key(machine: Int64) -> Int64 {
        let isTransient = kind == .standardInput || kind == .submitted
        let time = isTransient ? received : modified?.description ?? ""
        var bytes: [UInt8] = []
        func add(_ field: some Sequence<UInt8>) {
            bytes += field
            bytes.append(0)
        }
        add(String(machine).utf8)
        add(kind.rawValue.utf8)
        add(path.bytes)
        add(time.utf8)
        for name in names { add(name.utf8) }
        let digest = Digest(of: bytes)
        return digest.withUnsafeBytes { $0.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } } & .max
    }
}
