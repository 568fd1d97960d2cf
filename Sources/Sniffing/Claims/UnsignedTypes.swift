internal import ShareModel

/// The types that a claim may give to bytes which no rule recognizes.
///
/// A type with a signature has it in every file, so its absence refutes the claim. The types that the inspectors
/// conclude have one, and those that libmagic and the shared MIME database know. What is left are types that no rule
/// can recognize, such as the data files of many programs. They must be known, or be in a tree of names that no sink
/// of a whole class accepts, so that a sender cannot choose a sink by an invented name. They must not be a kind of text
/// or program.
struct UnsignedTypes {
    private let database: SharedMIMEDatabase
    private let signed: Set<MediaType>

    /// Types of which a rule recognizes the usual files, and others lack what it looks at: a size that fits the numbers
    /// in the header, the signature of a later version, or a file system on the disk.
    static let partlySigned: Set<MediaType> = [
        "image/x-macpaint", "image/vnd.wap.wbmp", "image/cgm", "audio/x-musepack",
        "application/x-raw-disk-image",
    ]

    /// The classes of types that unrecognized bytes cannot have, or that a program might run.
    private static let refused: Set<ContentClass> = [.text, .html, .mail, .pdf, .link, .binary]

    /// Types of text in other classes.
    private static let text: Set<MediaType> = [
        "application/ram", "application/sparql-query", "application/x-godot-scene", "application/x-jbuilder-project",
        "application/x-kexi-connectiondata", "application/x-kexiproject-shortcut", "application/x-spkac",
        "application/x-tgif", "audio/x-amzxml", "audio/x-ms-asx", "image/vnd.rn-realpix", "image/x-lws", "image/x-xfig",
    ]

    /// Trees of names with types that no database knows: those of vendors (RFC 6838, section 3.2), chemistry and models.
    private static let open: [StaticString] = ["application/vnd.", "chemical/", "model/"]

    init(database: SharedMIMEDatabase) {
        self.database = database
        let known = Inspectors.all.list.flatMap(\.concludes) + MagicNames.signed
        signed = Set(known.map(database.canonical)).subtracting(Self.partlySigned.map(database.canonical))
            .subtracting([.unknown])
    }

    /// Whether unrecognized bytes may be of this type.
    func admits(_ type: MediaType) -> Bool {
        let type = database.canonical(type)
        guard type != .unknown, !ClaimKin.mute.contains(type), isKnown(type), !Self.text.contains(type),
            !Self.refused.contains(ContentClass(of: type))
        else { return false }
        return !signed.contains(type) && !signed.contains { database.conforms(type, to: $0) }
    }

    private func isKnown(_ type: MediaType) -> Bool {
        // A structured suffix names a syntax that the bytes do not have (RFC 6839).
        guard !type.subtype.contains("+") else { return false }
        let isOpen = Self.open.contains { type.description.utf8.starts(with: $0.description.utf8) }
        return isOpen || database.names(type)
    }
}
