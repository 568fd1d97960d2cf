internal import Files
package import ShareModel
internal import SinkKit
internal import SystemPackage

/// Limits for a sink's answer to one delivery, and for the text that the sink receives.
public struct DeliveryLimits: Sendable {
    /// The largest product, in bytes.
    public var productBytes: Int64 = 256 << 20
    /// The most bytes of all products of one delivery together.
    public var productsBytes: Int64 = 512 << 20
    /// The most bytes that one process of a sink may have on the disk at a time: its own files, and products that the
    /// host has not taken yet.
    public var sinkBytes: Int64 = 1 << 30
    /// The most products of one delivery.
    public var products = 1_000
    /// The most bytes of an answer's text, and of its metadata.
    public var metadataBytes = 256 << 10
    /// The most values in an answer's metadata. In memory, a value takes several times the bytes of a short number.
    public var metadataValues = 16_384
    /// The most levels of objects and arrays in an answer's metadata.
    public var metadataDepth = 32
    /// A sink receives at most this many bytes of an item's title, and as many of its text.
    public var captionBytes = 64 << 10

    /// The defaults.
    public init() {}

    /// Why the metadata of an answer is not taken; `nil` if it is.
    package func fault(of metadata: JSONValue) -> String? {
        guard case .object = metadata else { return "its metadata is no JSON object" }
        guard metadata.depth <= metadataDepth else { return "its metadata is more than \(metadataDepth) levels deep" }
        let values = metadata.valueCount
        guard values <= metadataValues else {
            return "its metadata has \(values) values; \(metadataValues) are allowed"
        }
        guard let size = try? JSONLines.encode(metadata).count else { return "its metadata cannot be written as JSON" }
        guard size <= metadataBytes else {
            return "its metadata takes \(size) bytes; \(metadataBytes) are allowed"
        }
        return nil
    }
}

/// Checks a sink's answers against the host's rules, and keeps the sink's secrets out of them.
struct AnswerRules {
    let limits: DeliveryLimits
    let redactor: Redactor
    let fileSystem: any FileSystem

    /// A rule that an answer breaks, in words.
    private struct Broken: Error {
        let why: String

        init(_ why: String) { self.why = why }
    }

    /// The outcome of `done`: an answer, or the reason to refuse it.
    ///
    /// - Parameter out: the folder for the products of this delivery.
    func result(_ done: SinkMessage.Done, below out: FilePath) -> HostedOutcome.Result {
        do throws(Broken) {
            try checkForSecrets(done)
            if let metadata = done.metadata, let fault = limits.fault(of: metadata) { throw Broken(fault) }
            let (products, bytes) = try check(done.products ?? [], below: out)
            return .answered(
                HostedAnswer(
                    status: done.status, why: done.why.map(redactor.shortened), metadata: done.metadata,
                    products: products, folder: out, bytes: bytes))
        } catch {
            return .refused(redactor.refusal(error.why))
        }
    }

    /// The outcome of `fail`.
    func result(_ failure: SinkMessage.Failure) -> HostedOutcome.Result {
        let why = redactor.shortened(failure.why)
        return switch failure.class {
        case .transient: .transient(why, retryAfter: failure.retryAfterMilliseconds)
        case .permanent: .failed(why)
        case .auth: .unauthorized(why)
        }
    }

    /// The container keeps metadata and products, and a search finds them. So a secret there fails the delivery. The
    /// reason `why` is for people; it loses its secrets like a log.
    private func checkForSecrets(_ done: SinkMessage.Done) throws(Broken) {
        guard !redactor.finds(in: done) else {
            throw Broken("it contains a secret of the sink; the sink must not write one into metadata or products")
        }
    }

    /// Checks all products before the host copies the first one. A sparse file counts with its whole length, because
    /// its copy takes that many bytes. The sink can still change its files; the host copies no file that differs in size
    /// from the returned one.
    private func check(_ products: [Product], below out: FilePath) throws(Broken) -> ([HostedProduct], bytes: Int64) {
        guard products.count <= limits.products else {
            throw Broken("it has \(products.count) products; \(limits.products) are allowed")
        }
        var paths: Set<FilePath> = []
        var hosted: [HostedProduct] = []
        var sum: Int64 = 0
        for product in products {
            let text = redactor.shortened(product.path)
            if let trouble = ProductPath.trouble(product.path) {
                throw Broken("'\(text)' is not a path relative to the folder out: \(trouble)")
            }
            let path = out.pushing(FilePath(product.path)).lexicallyNormalized()
            guard paths.insert(path).inserted else { throw Broken("it names the product '\(text)' twice") }
            // A folder that the sink closed hides its files from the host too.
            guard let status = try? fileSystem.status(of: path) else {
                throw Broken("it names the product '\(text)', which does not exist below out")
            }
            guard status.size <= limits.productBytes || status.kind != .file else {
                throw Broken("its product '\(text)' is larger than \(limits.productBytes) bytes")
            }
            // Each size was just limited, so the sum cannot overflow.
            sum += status.size
            guard sum <= limits.productsBytes else {
                throw Broken("its products have more than \(limits.productsBytes) bytes together")
            }
            hosted.append(
                HostedProduct(
                    path: product.path, size: status.size, role: product.role, name: product.path, type: product.type))
        }
        return (hosted, sum)
    }
}

/// The rules for a product's path.
package enum ProductPath {
    /// Why a path cannot lead to a file below `out`; `nil` if it can.
    package static func trouble(_ path: String) -> String? {
        if path.isEmpty { return "it is empty" }
        // The system compares bytes. A slash and a combining mark after it are one `Character`, which is no slash.
        let bytes = path.utf8
        if bytes.first == UInt8(ascii: "/") { return "it is absolute" }
        if bytes.contains(0) { return "it has a NUL" }
        let steps = bytes.split(separator: UInt8(ascii: "/"))
        return steps.contains { $0.elementsEqual("..".utf8) } ? "it has '..'" : nil
    }
}

extension Redactor {
    /// A text of the sink without its secrets, cut to the length of a log.
    package func shortened(_ text: String) -> String {
        let text = redacted(text)
        return text.utf8.count <= SinkProcess.logLimit ? text : text.cut(toBytes: SinkProcess.logLimit) + "…"
    }

    /// The reason for refusing an answer, as the outcome states it.
    package func refusal(_ why: String) -> String { "the sink's answer is refused: \(shortened(why))" }
}
