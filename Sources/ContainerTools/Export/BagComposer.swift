internal import ShareModel
internal import SystemPackage

/// Lays out a package in a bag, so that an ingest of the bag gives the same package. A plain file becomes that file,
/// and any other package becomes a share folder. See <doc:Export>.
struct BagComposer {
    /// The folder of replaced packages. A walk takes `earlier` before `packages`, and the numbers below it in their
    /// order. So an ingest of the bag replaces these packages again.
    private static let earlier = "data/earlier"
    private static let current = "data/packages"
    /// The longest readable name, in bytes: the limit of a file system, less the room for an identifier and `.share`.
    private static let nameBytes = 200

    let package: StoredPackage
    /// Returns the bytes of a small object.
    let object: (Digest) throws -> [UInt8]
    /// Whether a file of the bag has the path already.
    let isTaken: (String) throws -> Bool

    private var receipt: Receipt { package.receipt }

    /// The package's files, the content first. A package without content has only its records.
    func files() throws -> [StoredPackage.File] {
        let records = package.records.enumerated().map { place, digest in
            StoredPackage.File(path: "records/\(receipt.id)-\(place)", content: .object(digest))
        }
        guard receipt.providers.contains(where: { $0.sha256 != nil }) else { return records }
        return try (plainFile() ?? share()) + records
    }

    /// The package as a plain file; `nil` if a walk would skip the file, or make another package of it. A file has
    /// neither a title nor a text.
    private func plainFile() throws -> [StoredPackage.File]? {
        guard receipt.source.kind == .file, receipt.providers.count == 1, let digest = receipt.providers[0].sha256,
            receipt.item?.title ?? receipt.item?.text == nil
        else { return nil }
        let name = receipt.providers[0].name
        guard name == Self.plain(name), SkipRule.reason(for: FilePath.Component(name) ?? "-") == nil else {
            return nil
        }
        return [
            StoredPackage.File(
                path: try free(name), content: .object(digest), modified: receipt.providers[0].modified ?? arrival)
        ]
    }

    /// The package as a folder with a `share.json` and the attachments.
    private func share() throws -> [StoredPackage.File] {
        let source = FilePath(receipt.source.path).lastComponent?.stem
        let name = receipt.item?.title ?? source ?? receipt.providers[0].name
        let folder = try free(Self.plain(name) + ".share")
        var description = try ShareComposer(package: package, object: object)
        let files = try description.attachments().map { file in
            StoredPackage.File(
                path: "\(folder)/\(file.name)", content: .object(file.digest), modified: file.modified ?? arrival)
        }
        let json = StoredPackage.File(
            path: "\(folder)/share.json", content: .bytes(try description.json()), modified: arrival)
        return [json] + files
    }

    /// The time when the package came in. Content that was in no file is at least as old.
    private var arrival: Timestamp? { receipt.received.flatMap { Timestamp($0) } }

    /// A path that no file of the bag has. The package's identifier is appended to a name that is taken, and a number to
    /// one that is taken even then.
    private func free(_ name: String) throws -> String {
        // A walk sorts by the bytes of names, so the numbers need the same length to stay in their order.
        let folder = package.isSuperseded ? "\(Self.earlier)/\(package.number.padded(to: 12))" : Self.current
        guard try isTaken("\(folder)/\(name)") else { return "\(folder)/\(name)" }
        let component = FilePath.Component(name)
        let ending = component?.extension.map { "." + $0 } ?? ""
        let stem = "\(folder)/\(component?.stem ?? name) (\(receipt.id))"
        var (path, attempt) = (stem + ending, 1)
        while try isTaken(path) {
            attempt += 1
            path = "\(stem) \(attempt)\(ending)"
        }
        return path
    }

    /// The safe form of a name, without percent signs, and cut so that an identifier fits behind it.
    ///
    /// A name in an old catalog may be unsafe, because an earlier version took it for safe. The programs that read manifests do not agree on the meaning of a percent sign.
    static func plain(_ name: String) -> String {
        let scalars = SafeName.make(name).unicodeScalars.map { $0 == "%" ? "_" : $0 }
        let name = String(String.UnicodeScalarView(scalars))
        guard name.utf8.count > nameBytes else { return name }
        let ending = FilePath.Component(name)?.extension.map { "." + $0 } ?? ""
        // A longer text behind the last dot is no ending of a type, and is cut with the rest.
        guard ending.utf8.count < 32 else { return name.cut(toBytes: nameBytes) }
        return name.cut(toBytes: nameBytes - ending.utf8.count) + ending
    }
}
