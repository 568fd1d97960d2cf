internal import Files
internal import Glibc
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// A sink's answer to one delivery, and the state of the disk after it.
struct DeliveryFinding {
    /// `done` or `fail`.
    let answer: SinkMessage
    let products: [Made]
    /// The count stops one above the limit.
    let filesInOut: Int
    /// The sink's changes in places where it must not write.
    let trespasses: [String]

    /// A product of the answer, and its file.
    struct Made {
        let product: Product
        /// The reason why the host cannot take it; `nil` if it can.
        let trouble: String?
        let size: Int64
        /// `nil` if the host cannot take it, or if it is too large.
        let digest: Digest?

        init(_ product: Product, below out: FilePath, limit: Int64, on fileSystem: any FileSystem) {
            self.product = product
            // Nothing is read at a path that may lead out of the folder: the sink could name any file of this machine.
            // The check `products/path` reports such a path.
            guard ProductPath.trouble(product.path) == nil else {
                (trouble, size, digest) = (nil, 0, nil)
                return
            }
            var status = stat()
            trouble = Self.trouble(product.path, below: out, &status)
            size = trouble == nil ? Int64(status.st_size) : 0
            let isReadable = trouble == nil && size <= limit
            digest = isReadable ? try? fileSystem.digest(of: out.appending(product.path)).digest : nil
        }

        private static func trouble(_ path: String, below out: FilePath, _ status: inout stat) -> String? {
            // A link in any component could lead out of the folder, so each one is checked.
            var place = out
            for component in FilePath(path).components {
                place.append(component)
                guard lstat(place.string, &status) == 0 else { return "it does not exist" }
                if status.st_mode & S_IFMT == S_IFLNK { return "\(component) is a link" }
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return nil
            case S_IFDIR: return "it is a folder"
            case S_IFIFO: return "it is a FIFO"
            default: return "it is not a regular file"
            }
        }
    }

    var done: SinkMessage.Done? { if case .done(let done) = answer { done } else { nil } }
    var failure: SinkMessage.Failure? { if case .fail(let failure) = answer { failure } else { nil } }

    /// The difference from an earlier answer to the same key, in words; `nil` if there is none. `duplicate` counts as
    /// the same answer.
    func difference(from earlier: DeliveryFinding) -> String? {
        guard let first = earlier.done else { return nil }
        guard let done else {
            // A transient failure does not depend on the content, so it is not a different answer.
            guard let failure, failure.class == .permanent else { return nil }
            return "the first answer was \(first.status.rawValue), the second one a failure: \(failure.why)"
        }
        if done.status == .duplicate, first.status != .declined { return nil }
        if done.status != first.status {
            return "the status was \(first.status.rawValue), and is \(done.status.rawValue)"
        }
        let changed = ValueDifference.between(first.metadata ?? [:], done.metadata ?? [:], at: "metadata")
        if let change = changed.first { return change }
        let (old, new) = (earlier.products, products)
        guard old.map(\.product) == new.map(\.product) else {
            return "the products were \(Self.names(old)), and are \(Self.names(new))"
        }
        for (old, new) in zip(old, new) where old.digest != new.digest {
            return "the product '\(new.product.path)' has other bytes"
        }
        return nil
    }

    private static func names(_ made: [Made]) -> String {
        made.isEmpty ? "none" : made.map { "\($0.product.path) (\($0.product.role))" }.joined(separator: ", ")
    }
}
