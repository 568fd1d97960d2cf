internal import Files
internal import GroupContainer
internal import SQLite
package import ShareModel
package import SystemPackage

extension ContainerMaintenance {
    /// Lays out the files of a package in the bag.
    ///
    /// - Parameters:
    ///   - object: returns the bytes of a small object of the package.
    ///   - isTaken: whether a file of the bag has the path already.
    package typealias Composer = (
        _ package: StoredPackage, _ object: (Digest) throws -> [UInt8], _ isTaken: (String) throws -> Bool
    ) throws -> [StoredPackage.File]

    /// The largest object that a composer gets as bytes in memory, in bytes.
    private static var composedBytes: Int { 32 << 20 }

    /// The number of packages in a page of the catalog.
    private static var exportPage: Int { 100 }

    /// Writes the packages that are in the container at the beginning into a new bag, in the order in which they came
    /// in. Each is written as it was when its page was read.
    ///
    /// Neither a transaction nor the objects lock is held while a package is written, so no process waits long for an
    /// export. A package that is forgotten before its turn is skipped without a finding. One that is forgotten while it is
    /// written is skipped or is in the bag.
    ///
    /// Each object is hashed while it is copied. If an object is lost or damaged by then, only the receipt of its
    /// package is written, and a finding is reported. If a record of a package cannot be read, nothing of it is written, and
    /// a finding is reported. The folder is a bag only when this returns, and durable then.
    ///
    /// - Parameters:
    ///   - prefixes: the beginnings of identifiers; an empty list means all packages.
    ///   - info: lines of `bag-info.txt`.
    ///   - isStopped: called before each package; the export ends if it returns `true`.
    /// - Throws: `ContainerError`, with the code `notFound` if a prefix names no package or several;
    ///   `CancellationError`.
    package func export(
        to folder: FilePath, _ prefixes: [String], info: [(name: String, value: String)], compose: Composer,
        isStopped: @Sendable () -> Bool, report: @Sendable (CareEvent) -> Void
    ) throws -> Exported {
        guard try !isInside(folder) else {
            throw ContainerError(.system, "\(folder) lies in the container; name a folder elsewhere")
        }
        var rest = try ExportRest(prefixes, database)
        let bag = try BagWriter(folder, fileSystem)
        var sum = Exported()
        // A page is a read of its own, so a long export does not keep the write-ahead log from being truncated.
        while case let page = try rest.page(database, limit: Self.exportPage), !page.isEmpty {
            for package in page {
                guard !isStopped() else { throw CancellationError() }
                switch package {
                case .success(let package): try write(package, into: bag, compose, &sum, report)
                case .failure(let damage):
                    sum.leftOut += 1
                    report(.finding(damage.finding))
                }
            }
        }
        try bag.finish(info: info)
        (sum.files, sum.bytes) = (bag.files, bag.bytes)
        return sum
    }

    /// Whether a folder lies in the container, also by way of a link. The folder and those above it need not exist.
    func isInside(_ folder: FilePath) throws -> Bool {
        guard !folder.starts(with: layout.root) else { return true }
        guard let root = try fileSystem.status(of: layout.root.appending(".")) else { return false }
        var place = folder
        while try !fileSystem.exists(place), place.removeLastComponent() {}
        // A name after a link makes the system follow it. From there, each `..` leads to the real parent.
        place.append(".")
        var last: FileStatus?
        while let status = try fileSystem.status(of: place) {
            if status.device == root.device, status.inode == root.inode { return true }
            // The topmost folder is its own parent.
            if let last, status.device == last.device, status.inode == last.inode { return false }
            last = status
            place.append("..")
        }
        return false
    }

    private func write(
        _ package: StoredPackage, into bag: BagWriter, _ compose: Composer, _ sum: inout Exported,
        _ report: (CareEvent) -> Void
    ) throws {
        // The package may have been forgotten since its page was read. Its title and text must not appear in the bag.
        guard try isStored(package) else { return }
        var written: [BagWriter.Entry] = []
        var current: String?
        var isWhole = true
        do {
            for file in try compose(package, { try bytes(of: $0) }, bag.isTaken) {
                current = file.path
                written.append(try write(file, into: bag))
            }
        } catch let loss as ObjectLoss {
            // A package without one of its objects would come in as another package. So its other files go too.
            for path in written.map(\.path) + [current].compactMap(\.self) { bag.discard(path) }
            // If the package was forgotten since, its content is not lost.
            guard try isStored(package) else { return }
            sum.leftOut += 1
            written = []
            isWhole = false
            report(.finding(loss.finding(package)))
        }
        // Only whole packages are listed, because an entry cannot be taken out of a manifest again.
        for entry in written { try bag.list(entry) }
        if isWhole { try writeProducts(of: package, into: bag, report) }
        let receipt = try JSONLines.encode(package.receipt) + [UInt8(ascii: "\n")]
        // A failed package has nothing below `data`, so an ingest finds it by its receipt alone.
        let folder = package.receipt.outcome == .failed ? "failures" : "receipts"
        try bag.list(bag.write("\(folder)/\(package.receipt.id).json", receipt))
        if written.contains(where: { $0.path.hasPrefix(BagWriter.payload) }) {
            sum.packages += 1
        } else if isWhole {
            sum.receiptsAlone += 1
        }
        report(.progress(objects: sum.packages, of: sum.packages, bytes: bag.bytes))
    }

    /// Writes what sinks made of a package. Without a product that is lost, an ingest makes the delivery again.
    private func writeProducts(
        of package: StoredPackage, into bag: BagWriter, _ report: (CareEvent) -> Void
    ) throws {
        for product in package.receipt.providers.lazy.flatMap(\.deliveries).flatMap(\.products) {
            let path = "products/\(product.sha256)"
            // Equal thumbnails of several packages are one file.
            guard try !bag.isTaken(path) else { continue }
            do {
                try bag.list(write(StoredPackage.File(path: path, content: .object(product.sha256)), into: bag))
            } catch let loss as ObjectLoss {
                bag.discard(path)
                // If the package was forgotten since, its content is not lost.
                guard try isStored(package) else { return }
                report(.finding(loss.finding(package, remedy: "the bag lacks it; an ingest of the bag delivers again")))
            }
        }
    }

    /// Whether the package's row still exists. No later package gets its number.
    private func isStored(_ package: StoredPackage) throws -> Bool {
        try database.read { database in
            let sql = "SELECT 1 FROM package WHERE seq = ?"
            return try Bool.fetchOne(database, sql: sql, arguments: [package.number]) ?? false
        }
    }

    private func write(_ file: StoredPackage.File, into bag: BagWriter) throws -> BagWriter.Entry {
        switch file.content {
        case .bytes(let bytes): return try bag.write(file.path, bytes, modified: file.modified)
        case .object(let digest):
            let entry = try bag.write(file.path, modified: file.modified) { try read(digest, $0) }
            // The manifest would otherwise vouch for damaged bytes.
            guard entry.digest == digest else {
                bag.discard(file.path)
                throw ObjectLoss(digest: digest, kind: .damaged, what: "its bytes do not match its name")
            }
            return entry
        }
    }

    /// The bytes of a small object.
    ///
    /// - Throws: `ObjectLoss` if the object is missing or damaged.
    private func bytes(of digest: Digest) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try read(digest) { piece in
            bytes += piece
            guard bytes.count <= Self.composedBytes else {
                throw ObjectLoss(digest: digest, kind: .damaged, what: "it is longer than any description")
            }
        }
        guard Digest(of: bytes) == digest else {
            throw ObjectLoss(digest: digest, kind: .damaged, what: "its bytes do not match its name")
        }
        return bytes
    }

    /// Calls `body` with an object's bytes, piece by piece.
    ///
    /// - Throws: `ObjectLoss` if the object has no file; an error of `body`.
    private func read(_ digest: Digest, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let path = layout.object(digest)
        // An open file outlives its name. So the lock is needed for the opening only, and a collection may remove the
        // object during the copy.
        let file = try withObjectsKept { () throws -> FileDescriptor? in
            guard try fileSystem.status(of: path)?.kind == .file else { return nil }
            return try fileSystem.open(path, .readOnly, [.noFollow, .nonBlocking])
        }
        guard let file else { throw ObjectLoss(digest: digest, kind: .missing, what: "the object is not there") }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
        defer { buffer.deallocate() }
        try file.closeAfter {
            while true {
                let count = try fileSystem.read(file, path, into: buffer)
                guard count > 0 else { return }
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }
}

/// The packages that are not exported yet. Only their numbers are in memory.
private struct ExportRest {
    /// The numbers of the named packages; `nil` for all packages.
    private var chosen: [Int64]?
    private var last: Int64 = 0
    /// The newest package at the beginning. Later packages are left to the next export, so that this one ends.
    private let end: Int64

    init(_ prefixes: [String], _ database: CatalogDatabase) throws {
        (chosen, end) = try database.read { database in
            let chosen = try prefixes.map {
                try PackageRemoval.Package.find(database, $0, otherwise: "No bag was written").seq
            }
            let end = try Int64.fetchOne(database, sql: "SELECT max(seq) FROM package") ?? 0
            return (chosen.isEmpty ? nil : Array(Set(chosen)).sorted(), end)
        }
    }

    /// The next packages in their order; none at the end.
    mutating func page(_ database: CatalogDatabase, limit: Int) throws -> [Result<StoredPackage, RecordDamage>] {
        let columns = StoredPackage.columns
        while true {
            let named = chosen.map { Array($0.prefix(limit)) }
            chosen?.removeFirst(named?.count ?? 0)
            if named?.isEmpty ?? false { return [] }
            let (packages, number) = try database.read { database in
                let rows =
                    if let named {
                        try named.compactMap { seq in
                            try Row.fetchOne(
                                database, sql: "SELECT \(columns) FROM package WHERE seq = ?", arguments: [seq])
                        }
                    } else {
                        try Row.fetchAll(
                            database,
                            sql: "SELECT \(columns) FROM package WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
                            arguments: [last, end, limit])
                    }
                return (try rows.map { try Self.package(database, $0) }, try rows.last?.value("seq") as Int64?)
            }
            last = number ?? last
            // All packages of a page may have been forgotten meanwhile; that is not the end.
            if !packages.isEmpty || named == nil { return packages }
        }
    }

    private static func package(_ database: Database, _ row: Row) throws -> Result<StoredPackage, RecordDamage> {
        switch try ContainerError.reading(packageOf: row, { try StoredPackage(database, row) }) {
        case .success(let package): return .success(package)
        case .failure(let error):
            let names = try ShelfRow.names(database, packages: [row.value("seq")])
            return .failure(
                RecordDamage(
                    finding: CareFinding(
                        .record, error.message, packages: names, remedy: "the bag has nothing of it".with(.verify),
                        action: .verify)))
        }
    }
}

/// A package with a record that cannot be read. Only this package is left out of the bag; the export goes on.
private struct RecordDamage: Error {
    let finding: CareFinding
}

/// A missing or damaged object. Only its package is left out of the bag; the export goes on.
private struct ObjectLoss: Error {
    let digest: Digest
    let kind: CareFinding.Kind
    let what: String

    func finding(
        _ package: StoredPackage, remedy: String = "the bag has only the receipt of the package"
    ) -> CareFinding {
        let receipt = package.receipt
        let lead = receipt.source.kind.isTransient ? receipt.leadName.map(InventedName.words) : nil
        let name = receipt.item?.title ?? lead ?? receipt.source.kind.name(of: receipt.source.filePath) ?? "-"
        return CareFinding(
            kind, what, object: digest, path: ContainerLayout.relativeObject(digest),
            packages: [PackageName(id: package.receipt.id, name: name)],
            remedy: remedy.with(.repairBeforeExport), action: .repairBeforeExport)
    }
}
