internal import Files
package import ShareModel
package import SystemPackage

/// What a bag records of its packages beside their content: receipts, descriptions, and the products of sinks.
///
/// Each file is checked against the manifest of the tag files, and has a limit. The caller decides what it believes.
package final class BagRecords {
    private static let receipts = "receipts"
    private static let failures = "failures"
    /// The folders that only a bag with records has.
    static let folders: [FilePath.Component] = [FilePath.Component(receipts), FilePath.Component(failures)]
        .compactMap(\.self)

    private let tags: BagManifest
    private let limits: ReadingLimits
    /// Opens the files of the bag outside of its payload.
    package let opener: SourceOpener

    /// - Parameter tags: the manifest of the tag files.
    package init(_ tags: BagManifest, limits: ReadingLimits) {
        (self.tags, self.limits) = (tags, limits)
        opener = SourceOpener(folder: tags.root, root: tags.root, bag: tags, limits: limits)
    }

    /// The receipt of a package with content; `nil` if the bag has none.
    ///
    /// - Throws: if it is not in the manifest or differs from it, is too long, or breaks a rule of ``RecordedReceipt``.
    package func receipt(_ id: String) throws(ReadingError) -> Receipt? {
        let path = FilePath(Self.receipts).appending("\(id).json")
        if let fault = unlisted(path) { throw fault }
        return has(path) ? try receipt(id, at: path) : nil
    }

    /// The error for the first receipt of a failed package that the bag has and the manifest lacks, even if the manifest
    /// has others.
    package var unlistedFailures: ReadingError? {
        let (folder, listed) = (FilePath(Self.failures), failedPaths.count)
        // One name more than the manifest has is enough to find one that it lacks.
        guard let name = folder.lastComponent, let root = try? Directory(tags.root),
            let names = try? Directory(name, below: root).names(atMost: min(listed, limits.bagTagFiles) + 1)
        else { return listed == 0 ? unlisted(folder) : nil }
        for name in names {
            let path = folder.appending(name)
            // A manifest lists files only. Those of a folder stand for it.
            if tags.paths(beginning: "\(path)/").isEmpty, let fault = unlisted(path) { return fault }
        }
        return nil
    }

    /// The error for an entry that the bag has and the manifest does not have.
    private func unlisted(_ path: FilePath) -> ReadingError? {
        let full = tags.root.appending(path.components)
        guard !has(path), isThere(full) else { return nil }
        guard isThere(tags.root.appending(tags.name)) else {
            let names = BagManifest.Algorithm.allCases.map(\.tagManifest).joined(separator: " or ")
            return ReadingError(.refused, "\(full) cannot be checked: the bag has no \(names); get the bag again")
        }
        return ReadingError(.refused, "\(full) is not in \(tags.name) of the bag; get the bag again")
    }

    private func isThere(_ path: FilePath) -> Bool { (try? Directory.kind(named: path, follows: false)) != nil }

    /// The paths of the receipts of failed packages.
    package var failedPaths: [FilePath] { tags.paths(beginning: Self.failures + "/") }

    /// The receipt of a failed package.
    ///
    /// - Throws: as ``receipt(_:)`` does.
    package func failure(at path: FilePath) throws(ReadingError) -> Receipt {
        try receipt(path.stem ?? "", at: path)
    }

    /// The records of a package, such as its description, in their order.
    ///
    /// - Throws: if one differs from the manifest, if they are too long together, or if they are too many.
    package func records(_ id: String) throws(ReadingError) -> [[UInt8]] {
        var (records, rest) = ([[UInt8]](), limits.recordBytes)
        while case let path = FilePath("records/\(id)-\(records.count)"), has(path) {
            guard records.count < limits.records else {
                throw ReadingError(.limit, "\(path) is one of more than \(limits.records) records of a package")
            }
            let record = try bytes(of: path, limit: rest)
            rest -= record.count
            records.append(record)
        }
        return records
    }

    /// The file of a product; `nil` if the bag does not have it.
    package func product(_ digest: Digest) -> FileReference? {
        let path = FilePath("products/\(digest)")
        return has(path) ? .path(path) : nil
    }

    private func has(_ path: FilePath) -> Bool { !tags.digests(of: path).isEmpty }

    private func receipt(_ id: String, at path: FilePath) throws(ReadingError) -> Receipt {
        let bytes = try bytes(of: path, limit: limits.receiptBytes)
        return try RecordedReceipt(file: tags.root.appending(path.components).string, limits: limits)
            .receipt(bytes, id: id)
    }

    private func bytes(of path: FilePath, limit: Int) throws(ReadingError) -> [UInt8] {
        guard case .file(let file) = try opener.open(.path(path)) else {
            throw ReadingError(.refused, "\(tags.root.appending(path.components)) is a folder")
        }
        let bytes = try file.bytes(limit: limit)
        try file.payload?.check(bytes)
        return bytes
    }
}
