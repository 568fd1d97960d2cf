internal import Files
internal import Glibc
internal import ShareModel
internal import SinkHost
internal import SinkKit
internal import SystemPackage

/// A sink's answer to one delivery, and what it left on disk.
struct DeliveryFinding {
    /// `done` or `fail`.
    let answer: SinkMessage
    let products: [Made]
    /// At most one more than a sink may leave.
    let filesInOut: Int
    /// What it changed or made where it must not.
    let trespasses: [String]

    /// A product as it was named, and as it was found.
    struct Made {
        let product: Product
        /// Why it cannot be taken, where it cannot.
        let trouble: String?
        let size: Int64
        /// Absent where it cannot be taken, or is too large.
        let digest: Digest?

        init(_ product: Product, below out: FilePath, limit: Int64) {
            self.product = product
            var status = stat()
            trouble = Self.trouble(product.path, below: out, &status)
            size = trouble == nil ? Int64(status.st_size) : 0
            let isReadable = trouble == nil && size <= limit
            digest = isReadable ? try? FolderTree.digest(of: out.appending(product.path)) : nil
        }

        private static func trouble(_ path: String, below out: FilePath, _ status: inout stat) -> String? {
            guard ProductPath.trouble(path) == nil else { return nil }
            var place = out
            for component in FilePath(path).components {
                place.append(component)
                guard lstat(place.string, &status) == 0 else { return "it is not there" }
                if status.st_mode & S_IFMT == S_IFLNK { return "\(component) is a link" }
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return nil
            case S_IFDIR: return "it is a folder"
            case S_IFIFO: return "it is a FIFO"
            default: return "it is no regular file"
            }
        }
    }

    var done: SinkMessage.Done? { if case .done(let done) = answer { done } else { nil } }
    var failure: SinkMessage.Failure? { if case .fail(let failure) = answer { failure } else { nil } }

    /// How this differs from an earlier answer to the same key, in words; a duplicate is as good as the same.
    func difference(from earlier: DeliveryFinding) -> String? {
        guard let first = earlier.done else { return nil }
        guard let done else {
            // What fails for the time being says nothing about the content.
            guard let failure, failure.class == .permanent else { return nil }
            return "it was \(first.status.rawValue) at first, and failed then: \(failure.why)"
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
