import ArgumentParser
import SystemPackage

/// A path on the command line, byte for byte. See ``RawArguments``.
struct PathArgument: ExpressibleByArgument {
    let path: FilePath

    /// The empty path is no path.
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        path = RawArguments.path(argument)
    }

    static var defaultCompletionKind: CompletionKind { .file() }
}
