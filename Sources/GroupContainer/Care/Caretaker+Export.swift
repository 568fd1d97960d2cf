internal import GRDB
public import ShareModel
public import SystemPackage

extension Caretaker {
    /// What of a package is to be written: given the package, the bytes of a small object of it, and whether a path of
    /// the bag is taken already.
    public typealias Composer = (
        _ package: StoredPackage, _ object: (Digest) throws -> [UInt8], _ isTaken: (String) throws -> Bool
    ) throws -> [StoredPackage.File]

    /// The largest object that is handed to a composer, in bytes.
    private static var composedBytes: Int { 32 << 20 }

    /// Writes packages into a new bag, from one state of the catalog, in the order in which they came in.
    ///
    /// Each object is hashed on its way. A package one of whose objects is lost or damaged is left out, but for its
    /// receipt, and told as a finding. The folder is a bag only when this returns, and durable then.
    ///
    /// - Parameters:
    ///   - prefixes: the beginnings of identifiers; none of them means all packages.
    ///   - info: lines of `bag-info.txt`.
    ///   - isStopped: asked between packages.
    /// - Throws: ``ContainerError``, with code `notFound` where a prefix names none or several; `CancellationError`.
    public func export(
        to folder: FilePath, _ prefixes: [String], info: [(name: String, value: String)], compose: Composer,
        isStopped: @Sendable () -> Bool, report: @Sendable (CareEvent) -> Void
    ) throws -> Exported {
        guard !folder.starts(with: layout.root) else {
            throw ContainerError(.system, "\(folder) lies in the container; name a folder elsewhere")
        }
        let lock = try lockForReading()
        defer { _ = consume lock }
        return try database.read { database in
            let chosen = try prefixes.map {
                try PackageRemoval.Package.find(database, $0, otherwise: "No bag was written").seq
            }
            let bag = try BagWriter(folder, fileSystem)
            var sum = Exported()
            let rows = try Row.fetchCursor(
                database, sql: "SELECT seq, receipt, sender_id, superseded_by FROM package ORDER BY seq")
            while let row = try rows.next() {
                guard !isStopped() else { throw CancellationError() }
                guard chosen.isEmpty || chosen.contains(row["seq"]) else { continue }
                let package = try StoredPackage(database, row)
                try write(package, into: bag, compose, &sum, report)
            }
            try bag.finish(info: info)
            (sum.files, sum.bytes) = (bag.files, bag.bytes)
            return sum
        }
    }

    private func write(
        _ package: StoredPackage, into bag: BagWriter, _ compose: Composer, _ sum: inout Exported,
        _ report: (CareEvent) -> Void
    ) throws {
        var written: [BagWriter.Entry] = []
        var current: String?
        do {
            for file in try compose(package, { try bytes(of: $0) }, bag.isTaken) {
                current = file.path
                written.append(try write(file, into: bag))
            }
        } catch let loss as ObjectLoss {
            for path in written.map(\.path) + [current].compactMap(\.self) { bag.discard(path) }
            sum.leftOut += 1
            written = []
            report(.finding(loss.finding(package)))
        }
        for entry in written { try bag.list(entry) }
        let receipt = try JSONLines.encode(package.receipt) + [UInt8(ascii: "\n")]
        try bag.list(bag.write("receipts/\(package.receipt.id).json", receipt))
        if written.contains(where: { $0.path.hasPrefix(BagWriter.payload) }) {
            sum.packages += 1
        } else if current == nil || !written.isEmpty {
            sum.receiptsAlone += 1
        }
        report(.progress(objects: sum.packages, of: sum.packages, bytes: bag.bytes))
    }

    private func write(_ file: StoredPackage.File, into bag: BagWriter) throws -> BagWriter.Entry {
        switch file.content {
        case .bytes(let bytes): return try bag.write(file.path, bytes)
        case .object(let digest):
            let entry = try bag.write(file.path) { try read(digest, $0) }
            guard entry.digest == digest else {
                bag.discard(file.path)
                throw ObjectLoss(digest: digest, kind: .damaged, what: "its bytes are not those that its name says")
            }
            return entry
        }
    }

    private func bytes(of digest: Digest) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try read(digest) { piece in
            bytes += piece
            guard bytes.count <= Self.composedBytes else {
                throw ObjectLoss(digest: digest, kind: .damaged, what: "it is longer than any description")
            }
        }
        guard Digest(of: bytes) == digest else {
            throw ObjectLoss(digest: digest, kind: .damaged, what: "its bytes are not those that its name says")
        }
        return bytes
    }

    /// Hands on an object's bytes, piece by piece.
    private func read(_ digest: Digest, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let path = layout.object(digest)
        guard try fileSystem.status(of: path)?.kind == .file else {
            throw ObjectLoss(digest: digest, kind: .missing, what: "the object is not there")
        }
        let file = try fileSystem.open(path, .readOnly, [.noFollow, .nonBlocking])
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

/// An object that cannot be had, which is its packages' trouble alone.
private struct ObjectLoss: Error {
    let digest: Digest
    let kind: CareFinding.Kind
    let what: String

    func finding(_ package: StoredPackage) -> CareFinding {
        let name = package.receipt.item?.title ?? package.receipt.providers.first?.name ?? "-"
        return CareFinding(
            kind, what, object: digest, path: ContainerLayout.relativeObject(digest),
            packages: [PackageName(id: package.receipt.id, name: name)],
            remedy: "the package is left out but for its receipt; run `sluice verify --repair`, then export again")
    }
}
