import ArgumentParser
import Ingestion
import ShareModel
import SystemPackage

/// A path on the command line, byte for byte. See ``RawArguments``.
struct PathArgument: ExpressibleByArgument {
    let path: FilePath

    /// Refuses the empty path: it names nothing, and an unset variable in a script yields it.
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        path = RawArguments.path(argument)
    }

    static var defaultCompletionKind: CompletionKind { .file() }
}

/// A path or web address on the command line, or many folded into one argument. See ``RawArguments/folded(_:)``.
struct PathsArgument: ExpressibleByArgument {
    private let parts: [[UInt8]]

    var paths: [FilePath] { parts.map { FilePath(bytes: $0) } }
    var addresses: [InputAddress] { parts.map(InputAddress.init) }

    /// Refuses the argument if one of its paths is empty.
    init?(argument: String) {
        let parts = argument.split(separator: RawArguments.fold, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.parts = parts.map { RawArguments.bytes(String($0)) }
    }

    static var defaultCompletionKind: CompletionKind { .file() }
}

extension FilePath {
    /// The bytes of the last component; those of the whole path if it has none.
    var name: [UInt8] { lastComponent.map { FilePath(root: nil, components: $0).bytes } ?? bytes }
}
