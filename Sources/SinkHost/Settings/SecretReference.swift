package import ShareModel
package import SystemPackage

/// The place of a secret. No settings file contains the secret itself.
package enum SecretReference: Sendable, Equatable {
    /// A variable of the host's environment.
    case environment(String)
    /// A file that contains only the secret. A line feed at its end is not part of it.
    case file(FilePath)
    /// A program, by path or name, and its arguments. The secret is its standard output. No shell interprets them.
    case command([String])
    /// The share token of an account.
    case account(AccountName)
}

extension SecretReference: CustomStringConvertible {
    /// The place, for a message. A command's arguments are left out, because they may be private.
    package var description: String {
        switch self {
        case .environment(let name): "the variable \(name)"
        case .file(let path): "the file \(path)"
        case .command(let words): "the command \(words.first ?? "")"
        case .account(let name): "the account \(name)"
        }
    }
}
