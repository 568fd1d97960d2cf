internal import ShareModel

/// The types that a claim may give to bytes which no rule recognizes.
///
/// A type with a signature has it in every file, so its absence refutes the claim. The types that the inspectors conclude have one, and
/// those that libmagic knows. What is left are types that no rule can recognize, such as the data files of many programs.
struct UnsignedTypes {
    private let database: SharedMIMEDatabase
    private let signed: Set<MediaType>

    /// Types of which a rule recognizes the usual files, and others lack what it looks at: a size that fits the numbers
    /// in the header, or the signature of a later version.
    static let partlySigned: Set<MediaType> = [
        "model/stl", "image/x-tga", "image/x-macpaint", "image/vnd.wap.wbmp", "image/cgm", "audio/x-musepack",
    ]

    init(database: SharedMIMEDatabase) {
        self.database = database
        let known = Inspectors.all.list.flatMap(\.concludes) + MagicNames.signed
        signed = Set(known.map(database.canonical)).subtracting(Self.partlySigned.map(database.canonical))
            .subtracting([.unknown])
    }

    /// Whether unrecognized bytes may be of this type.
    func admits(_ type: MediaType) -> Bool {
        let type = database.canonical(type)
        guard type != .unknown, type != .empty, !ClaimKin.mute.contains(type) else { return false }
        return !signed.contains(type) && !signed.contains { database.conforms(type, to: $0) }
    }
}
