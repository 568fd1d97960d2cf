public import ShareModel
public import SystemPackage

/// A file that a container has of a package.
public struct PackageFile: Sendable, Hashable {
    /// What a file is to its package.
    public enum Role: Sendable, Hashable {
        /// The content of a provider. Parts are counted from 1, as people see them.
        case part(Int)
        /// A file that a sink made of a group, which the part leads.
        case product(sink: String, part: Int, role: String)
        /// Bytes of an input that failed as a whole, counted from 1.
        case kept(Int)
    }

    /// What the file is.
    public let role: Role
    /// A safe name without folders, for a copy of the file.
    public let name: String
    /// The concluded type; `nil` for kept bytes, which have none.
    public let type: MediaType?
    /// The size, in bytes.
    public let size: Int64
    /// The name of the object.
    public let sha256: Digest
    /// The path of the object, which has no extension. The file can only be read. It is missing if its content is lost.
    public let path: FilePath
    /// Whether a person can read the bytes as text.
    public var isText: Bool { type.map { [.text, .html, .link, .mail].contains(ContentClass(of: $0)) } ?? false }
    /// The words by which a person can name the file within its package, the shortest first.
    public let words: [String]
}

/// The files that a container has of a package: its parts in the sender's order, then the products of its sinks, then
/// kept bytes.
public struct PackageFiles: Sendable {
    /// The package's receipt.
    public let receipt: Receipt
    /// All files.
    public let all: [PackageFile]

    init(_ receipt: Receipt, _ layout: ContainerLayout) {
        self.receipt = receipt
        let parts = receipt.providers.compactMap { Self.part($0, layout) }
        let products = receipt.providers.flatMap { Self.products($0, layout) }
        let kept = (receipt.kept ?? []).enumerated().map { Self.kept($1, number: $0 + 1, receipt, layout) }
        all = parts + products + kept
    }

    /// The file that stands for the package: its only part, or the one that leads its only group; else the only kept
    /// file. `nil` if there is more than one choice, or none.
    public var main: PackageFile? {
        let parts = all.filter { if case .part = $0.role { true } else { false } }
        if parts.count < 2 { return parts.first ?? (all.count == 1 ? all.first : nil) }
        guard receipt.groups.count == 1, let lead = receipt.groups[0].providers.first else { return nil }
        return parts.first { $0.role == .part(lead + 1) }
    }

    /// The files that a word names: the number of a part, `kept`, or a name; also `SINK/NAME` or `PART/NAME` for a
    /// product. Parts come first, so a product with the name of a part needs its sink's name.
    public func files(named word: String) -> [PackageFile] {
        let named = all.filter { $0.words.contains(word) }
        let parts = named.filter { if case .part = $0.role { true } else { false } }
        return parts.isEmpty ? named : parts
    }

    private static func part(_ provider: Receipt.Provider, _ layout: ContainerLayout) -> PackageFile? {
        guard let digest = provider.sha256, let size = provider.size else { return nil }
        let number = provider.index + 1
        return PackageFile(
            role: .part(number), name: provider.name, type: provider.type, size: size, sha256: digest,
            path: layout.object(digest), words: ["\(number)", provider.name])
    }

    private static func products(_ provider: Receipt.Provider, _ layout: ContainerLayout) -> [PackageFile] {
        let part = provider.index + 1
        return provider.deliveries.flatMap { delivery in
            delivery.products.map { product in
                let name = FilePath(product.name).lastComponent?.string ?? product.name
                return PackageFile(
                    role: .product(sink: delivery.sink, part: part, role: product.role), name: name,
                    type: product.type, size: product.size, sha256: product.sha256,
                    path: layout.object(product.sha256),
                    words: ["", "\(delivery.sink)/", "\(part)/", "\(part)/\(delivery.sink)/"].map { $0 + product.name })
            }
        }
    }

    private static func kept(_ kept: Receipt.KeptInput, number: Int, _ receipt: Receipt, _ layout: ContainerLayout)
        -> PackageFile
    {
        let word = number == 1 ? "kept" : "kept-\(number)"
        return PackageFile(
            role: .kept(number), name: word, type: nil, size: kept.size, sha256: kept.sha256,
            path: layout.object(kept.sha256), words: [word])
    }
}

extension CatalogReader {
    /// The files of the one package whose identifier begins with `prefix`; see ``receipt(_:)``.
    ///
    /// - Throws: ``ContainerError`` with the code `notFound` if no package matches, or several do.
    public func files(of prefix: String) throws -> PackageFiles { PackageFiles(try receipt(prefix), layout) }
}
