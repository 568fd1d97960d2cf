import Files
import ShareModel
import SystemPackage

/// The names of a run's sources: paths relative to the arguments, because two files may have the same last component.
///
/// With one argument, names are relative to it. With several, they are relative to the deepest folder that contains all
/// of them. Those of a list are relative to the current folder, as its lines are.
struct SourceNames: Sendable {
    /// The folder that names are relative to, without a slash at its end; `nil` to use last components.
    private let base: [UInt8]?

    init() { base = nil }

    private init(base: [UInt8]) { self.base = base }

    /// The names of a list: relative to the current folder. What lies elsewhere has its whole path.
    static let ofList = SourceNames(base: [])

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
        // If only the root is common, the whole path is the clearest name.
        base = shared.isEmpty ? [] : FilePath(root: "/", shared).bytes
    }

    func name(of receipt: Receipt) -> String {
        guard ![.standardInput, .submitted, .link].contains(receipt.source.kind) else { return receipt.name }
        let bytes = receipt.source.bytes
        guard let base, bytes != base else { return receipt.source.name }
        guard !base.isEmpty, bytes.starts(with: base + Array("/".utf8)) else { return receipt.source.text }
        return SafeText.escape(bytes: bytes.dropFirst(base.count + 1))
    }
}
