import Accounts
import ShareModel

/// Where logins lie: outside of any container. Calls block their thread, and none waits for a person.
protocol Keychain: Sendable {
    var kind: KeychainKind { get }

    /// The secret of a login; `nil` if there is none.
    ///
    /// - Throws: ``KeychainError``.
    func secret(of login: LoginKey) throws -> String?

    /// Stores the secret of a login, or replaces it as a whole. It is durable when this returns.
    func store(_ secret: String, for login: LoginKey, label: String) throws

    /// Removes a login. Does nothing if there is none.
    func remove(_ login: LoginKey) throws

    /// The logins, in no order.
    func logins() throws -> [LoginKey]
}

/// What a keychain knows a login by.
struct LoginKey: Sendable, Hashable, Codable {
    var account: String
    /// The folder of the container.
    var container: String
    /// The random identifier, which the marker in the container has too.
    var login: String

    func isOf(_ account: AccountName, in container: String) -> Bool {
        self.account == account.description && self.container == container
    }
}

/// Why a keychain cannot be used now.
enum KeychainError: Error, CustomStringConvertible {
    case locked
    /// There is none where the login lies.
    case absent(String)
    case failed(String)

    var description: String {
        switch self {
        case .locked: "the keychain of the desktop is locked; unlock it"
        case .absent(let why):
            "the keychain of the desktop cannot be reached (\(why)); start this from the desktop's session"
        case .failed(let why): "the keychain does not work: \(why)"
        }
    }
}
