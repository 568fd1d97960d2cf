import Files
import ShareModel
import SystemPackage

/// What the sources of a run are called: each by its path from what was named on the command line, so that two files
/// of one name can be told apart.
///
/// Where one path was named, what lies in it is called from there. Where several were, everything is called from the
/// deepest folder that holds them all.
struct SourceNames: Sendable {
    /// The folder that names begin in, without a slash at its end; `nil` where last components must do.
    private let base: [UInt8]?

    init() { base = nil }

    init(named paths: [FilePath]) {
        let absolute = paths.map(\.absolute)
        guard let first = absolute.first, absolute.count > 1 else {
            base = absolute.first?.bytes
            return
        }
        let parents = absolute.map { Array($0.removingLastComponent().components) }
        let shared = parents.reduce(Array(first.components)) { shared, next in
            zip(shared, next).prefix { $0 == $1 }.map(\.0)
        }
        // Names from the root down say no less than whole paths.
        base = shared.isEmpty ? [] : FilePath(root: "/", shared).bytes
    }

    func name(of receipt: Receipt) -> String {
        guard receipt.source.kind != .standardInput else { return receipt.name }
        let bytes = receipt.source.bytes
        guard let base, bytes != base else { return receipt.source.name }
        guard !base.isEmpty, bytes.starts(with: base + Array("/".utf8)) else { return receipt.source.text }
        return SafeText.escape(bytes: bytes.dropFirst(base.count + 1))
    }
}
