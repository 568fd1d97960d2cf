import Accounts
import CDesktop
import Glibc
import ShareModel

/// The keychain of the desktop, which encrypts its entries and locks them (freedesktop.org, Secret Service API).
struct SecretService: Keychain {
    let kind = KeychainKind.secretService

    /// How long an answer may take, in milliseconds.
    private static let patience: Int32 = 5_000

    /// Whether a session bus offers it.
    ///
    /// - Throws: ``KeychainError`` if it is there and cannot be used.
    static func isOffered() throws -> Bool {
        let (result, why) = call { cdesktop_state(patience, $0) }
        switch result {
        case CDESKTOP_OK: return true
        case CDESKTOP_ABSENT: return false
        default: throw error(result, why)
        }
    }

    func secret(of login: LoginKey) throws -> String? {
        // A locked collection shows its entries without their secrets, and a search there may find nothing.
        let (state, why) = Self.call { cdesktop_state(Self.patience, $0) }
        guard state == CDESKTOP_OK else { throw Self.error(state, why) }
        let found = try search(login.attributes)
        guard let entry = found.first(where: { $0.key == login }) else { return nil }
        guard let secret = entry.secret else { throw KeychainError.locked }
        return secret
    }

    func store(_ secret: String, for login: LoginKey, label: String) throws {
        try Self.check(
            login.withAttributes { attributes, count in
                Self.call { cdesktop_store(attributes, count, label, secret, Self.patience, $0) }
            })
    }

    func remove(_ login: LoginKey) throws {
        try Self.check(
            login.withAttributes { attributes, count in
                Self.call { cdesktop_remove(attributes, count, Self.patience, $0) }
            })
    }

    func logins() throws -> [LoginKey] { try search([]).map(\.key) }

    private struct Entry {
        let key: LoginKey
        let secret: String?
    }

    private func search(_ wanted: [(String, String)]) throws -> [Entry] {
        var found: [Entry] = []
        let result = withUnsafeMutablePointer(to: &found) { list in
            LoginKey.with(wanted) { attributes, count in
                Self.call { reason in
                    cdesktop_search(
                        attributes, count, Self.patience, list,
                        { context, attributes, count, secret in
                            guard let attributes, let key = LoginKey(attributes, count) else { return }
                            let list = context?.assumingMemoryBound(to: [Entry].self)
                            list?.pointee.append(Entry(key: key, secret: secret.map { String(cString: $0) }))
                        }, reason)
                }
            }
        }
        try Self.check(result)
        return found
    }

    private static func check(_ result: (cdesktop_result, String)) throws {
        guard result.0 != CDESKTOP_OK else { return }
        throw error(result.0, result.1)
    }

    private static func error(_ result: cdesktop_result, _ why: String) -> KeychainError {
        switch result {
        case CDESKTOP_LOCKED: .locked
        case CDESKTOP_ABSENT: .absent(why)
        case CDESKTOP_EMPTY: .failed("\(why); make one with the desktop's program for passwords")
        default: .failed(why)
        }
    }

    /// The result of a call, and its reason.
    private static func call(_ body: (UnsafeMutablePointer<CChar>?) -> Int32) -> (cdesktop_result, String) {
        var reason = [CChar](repeating: 0, count: Int(CDESKTOP_REASON))
        let result = reason.withUnsafeMutableBufferPointer { body($0.baseAddress) }
        let words = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return (cdesktop_result(UInt32(bitPattern: result)), words)
    }
}

extension LoginKey {
    fileprivate var attributes: [(String, String)] {
        [("account", account), ("container", container), ("login", login)]
    }

    fileprivate init?(_ attributes: UnsafePointer<cdesktop_attribute>, _ count: Int) {
        let pairs = UnsafeBufferPointer(start: attributes, count: count).map {
            (String(cString: $0.name), String(cString: $0.value))
        }
        let values = Dictionary(pairs) { $1 }
        guard let account = values["account"], let container = values["container"], let login = values["login"] else {
            return nil
        }
        self.init(account: account, container: container, login: login)
    }

    fileprivate func withAttributes<Value>(_ body: (UnsafePointer<cdesktop_attribute>?, Int) -> Value) -> Value {
        Self.with(attributes, body)
    }

    /// Calls `body` with attributes in the form of C.
    fileprivate static func with<Value>(
        _ pairs: [(String, String)], _ body: (UnsafePointer<cdesktop_attribute>?, Int) -> Value
    ) -> Value {
        let texts = pairs.map { (strdup($0.0), strdup($0.1)) }
        defer {
            for (name, value) in texts {
                free(name)
                free(value)
            }
        }
        let list = texts.map { cdesktop_attribute(name: $0.0, value: $0.1) }
        return list.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
    }
}
