internal import ShareModel
internal import SystemPackage

/// How a package lies in a bag, so that taking the bag in gives the same package: a plain file as the file, anything else
/// as a share folder. See <doc:Export>.
struct BagComposer {
    /// Those that were replaced come first, and each in its place, so that they are replaced again.
    private static let earlier = "data/earlier"
    private static let current = "data/packages"
    /// The longest readable name, in bytes: what a file system takes, less what is put behind it.
    private static let nameBytes = 200

    let package: StoredPackage
    let object: (Digest) throws -> [UInt8]
    let isTaken: (String) throws -> Bool

    private var receipt: Receipt { package.receipt }

    func files() throws -> [StoredPackage.File] {
        let records = package.records.enumerated().map { place, digest in
            StoredPackage.File(path: "records/\(receipt.id)-\(place)", content: .object(digest))
        }
        guard receipt.providers.contains(where: { $0.sha256 != nil }) else { return records }
        return try (plainFile() ?? share()) + records
    }

    /// `nil` for what a walk would not take for the same package.
    private func plainFile() throws -> [StoredPackage.File]? {
        guard receipt.source.kind == .file, receipt.providers.count == 1, let digest = receipt.providers[0].sha256
        else { return nil }
        let name = receipt.providers[0].name
        guard name == Self.plain(name), SkipRule.reason(for: FilePath.Component(name) ?? "-") == nil else {
            return nil
        }
        return [StoredPackage.File(path: try free(name), content: .object(digest))]
    }

    private func share() throws -> [StoredPackage.File] {
        let source = FilePath(receipt.source.path).lastComponent?.stem
        let name = receipt.item?.title ?? source ?? receipt.providers[0].name
        let folder = try free(Self.plain(SafeName.make(name)) + ".share")
        var description = try ShareComposer(package: package, object: object)
        let files = try description.attachments().map { file in
            StoredPackage.File(path: "\(folder)/\(file.name)", content: .object(file.digest))
        }
        return [StoredPackage.File(path: "\(folder)/share.json", content: .bytes(try description.json()))] + files
    }

    /// A name that nothing in the bag bears: with the package's identifier, where somebody has it already.
    private func free(_ name: String) throws -> String {
        let number = String(package.number)
        let padding = String(repeating: "0", count: max(0, 12 - number.count))
        let folder = package.isSuperseded ? "\(Self.earlier)/\(padding)\(number)" : Self.current
        guard try isTaken("\(folder)/\(name)") else { return "\(folder)/\(name)" }
        let path = FilePath.Component(name)
        let ending = path?.extension.map { "." + $0 } ?? ""
        return "\(folder)/\(path?.stem ?? name) (\(receipt.id))\(ending)"
    }

    /// The safe name, short enough to be added to, and without the sign that manifests write in two ways.
    static func plain(_ name: String) -> String {
        let name = name.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "_")
        guard name.utf8.count > nameBytes else { return name }
        let ending = FilePath.Component(name)?.extension.map { "." + $0 } ?? ""
        guard ending.utf8.count < 32 else { return name.cut(toBytes: nameBytes) }
        return name.cut(toBytes: nameBytes - ending.utf8.count) + ending
    }
}
