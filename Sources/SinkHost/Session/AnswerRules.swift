internal import Files
internal import ShareModel
internal import SinkKit
internal import SystemPackage

/// What a sink may make of one delivery, and how much it receives.
public struct DeliveryLimits: Sendable {
    /// The largest product, in bytes.
    public var productBytes: Int64 = 256 << 20
    /// The most that one process of a sink may have on the disk at a time, in bytes: products that the host has not taken
    /// yet, and files of its own.
    public var sinkBytes: Int64 = 1 << 30
    /// The most products of one delivery.
    public var products = 1_000
    /// The most bytes of an answer's text, and of its metadata.
    public var metadataBytes = 256 << 10
    /// The most levels of objects and arrays in an answer's metadata.
    public var metadataDepth = 32
    /// The most bytes of an item's title, and of its text, that a sink receives.
    public var captionBytes = 64 << 10

    /// The defaults.
    public init() {}
}

/// Checks a sink's answers against the host's rules, and keeps the sink's secrets out of them.
struct AnswerRules {
    let limits: DeliveryLimits
    let redactor: Redactor

    /// A rule that an answer breaks, in words.
    private struct Broken: Error {
        let why: String

        init(_ why: String) { self.why = why }
    }

    /// What `done` says, or why it is refused.
    ///
    /// - Parameter out: the folder that the sink had for its products.
    func result(_ done: SinkMessage.Done, below out: FilePath) -> HostedOutcome.Result {
        do {
            try check(done.metadata)
            let (products, bytes) = try check(done.products ?? [], below: out)
            return .answered(
                HostedAnswer(
                    status: done.status, why: done.why.map(redactor.shortened),
                    metadata: done.metadata.map(redactor.redacted), products: products, folder: out, bytes: bytes))
        } catch {
            return .refused(redactor.refusal(error.why))
        }
    }

    /// What `fail` says.
    func result(_ failure: SinkMessage.Failure) -> HostedOutcome.Result {
        let why = redactor.shortened(failure.why)
        return failure.class == .transient
            ? .transient(why, retryAfter: failure.retryAfterMilliseconds) : .failed(why)
    }

    private func check(_ metadata: JSONValue?) throws(Broken) {
        guard let metadata else { return }
        guard case .object = metadata else { throw Broken("its metadata is no JSON object") }
        guard metadata.depth <= limits.metadataDepth else {
            throw Broken("its metadata is more than \(limits.metadataDepth) levels deep")
        }
        guard let size = Self.size(of: metadata) else { throw Broken("its metadata cannot be written as JSON") }
        guard size <= limits.metadataBytes else {
            throw Broken("its metadata takes \(size) bytes; \(limits.metadataBytes) are allowed")
        }
    }

    private static func size(of metadata: JSONValue) -> Int? {
        do {
            return try SinkProtocol.line(metadata).count
        } catch let error as SinkProtocol.LineTooLong {
            // Numbers can be longer in the host's words than in the sink's.
            return error.bytes
        } catch {
            return nil
        }
    }

    /// Checks all products before the host copies the first one. A sparse file counts with its whole length, which is what a
    /// copy takes.
    private func check(_ products: [Product], below out: FilePath) throws(Broken) -> ([HostedProduct], bytes: Int64) {
        guard products.count <= limits.products else {
            throw Broken("it has \(products.count) products; \(limits.products) are allowed")
        }
        var paths: Set<FilePath> = []
        var sum: Int64 = 0
        for product in products {
            let text = redactor.shortened(product.path)
            if let trouble = ProductPath.trouble(product.path) {
                throw Broken("'\(text)' is no path relative to the folder out: \(trouble)")
            }
            let path = out.pushing(FilePath(product.path)).lexicallyNormalized()
            guard paths.insert(path).inserted else { throw Broken("it names the product '\(text)' twice") }
            guard FolderTree.exists(path) else {
                throw Broken("it names the product '\(text)', and there is no such file below out")
            }
            sum += min(FolderTree.length(of: path), limits.sinkBytes)
            // The limit for one product names that product, so it is the better message.
            guard sum <= limits.sinkBytes || products.count == 1 else {
                throw Broken("its products are longer than \(limits.sinkBytes) bytes together")
            }
        }
        let hosted = products.map {
            HostedProduct(
                path: $0.path, role: redactor.redacted($0.role), name: redactor.redacted($0.path), type: $0.type)
        }
        return (hosted, sum)
    }
}

/// The rules for a product's path.
package enum ProductPath {
    /// Why a path cannot lead to a file below `out`; `nil` if it can.
    package static func trouble(_ path: String) -> String? {
        if path.isEmpty { return "it is empty" }
        if path.hasPrefix("/") { return "it is absolute" }
        if path.utf8.contains(0) { return "it has a NUL" }
        return path.split(separator: "/").contains("..") ? "it has '..'" : nil
    }
}

extension Redactor {
    /// A sink's words as they may be kept: without its secrets, and not longer than its log.
    package func shortened(_ text: String) -> String {
        let text = redacted(text)
        return text.utf8.count <= SinkProcess.logLimit ? text : text.cut(toBytes: SinkProcess.logLimit) + "…"
    }

    /// Why an answer is refused, in words.
    package func refusal(_ why: String) -> String { "the sink's answer is refused: \(shortened(why))" }
}
