internal import ShareModel
package import SystemPackage

/// Where a secret is. The secret itself is in no file of settings.
package enum SecretReference: Sendable, Equatable {
    /// A variable of the environment that the host was started in.
    case environment(String)
    /// A file that holds nothing else; a line feed at its end is not part of the secret.
    case file(FilePath)
    /// What a program writes to its standard output: its path or name, and its arguments. No shell sees them.
    case command([String])
}

extension SecretReference: CustomStringConvertible {
    /// Where it is, for people. Of a command the name alone: its arguments are the person's own affair.
    package var description: String {
        switch self {
        case .environment(let name): "the variable \(name)"
        case .file(let path): "the file \(path)"
        case .command(let words): "the command \(words.first ?? "")"
        }
    }
}
