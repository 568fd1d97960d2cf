import Accounts
import Files
import ShareModel

/// A keychain of files that only this user can read, one for each login. It is for systems without a Secret Service.
struct FileKeychain: Keychain {
    let kind = KeychainKind.file
    private let folder: PrivateFolder

    /// In bytes.
    private static let limit = 256 << 10

    private struct Entry: Codable {
        var key: LoginKey
        var secret: String
    }

    /// - Throws: ``KeychainError`` if there is no folder for it.
    init(_ path: String?) throws {
        guard let path else { throw KeychainError.failed("there is no folder for it, because HOME is not set") }
        folder = PrivateFolder(.init(path))
    }

    func secret(of login: LoginKey) throws -> String? {
        try entry(Self.name(login)).flatMap { $0.key == login ? $0.secret : nil }
    }

    func store(_ secret: String, for login: LoginKey, label: String) throws {
        let entry = try converting { try JSONLines.encode(Entry(key: login, secret: secret)) }
        guard entry.count <= Self.limit else {
            throw KeychainError.failed("the login is longer than \(Self.limit) bytes")
        }
        try converting { try folder.replace(Self.name(login), with: entry) }
    }

    func remove(_ login: LoginKey) throws { try converting { try folder.remove(Self.name(login)) } }

    func logins() throws -> [LoginKey] {
        // An entry that cannot be read has no container, so it is listed as one whose container is gone.
        try converting { try folder.names() }.compactMap { name in
            let unreadable = LoginKey(account: "?", container: "?", login: String(name.prefix { $0 != "." }))
            do { return try entry(name)?.key } catch { return unreadable }
        }
    }

    private func entry(_ name: String) throws -> Entry? {
        try converting { try folder.read(name, limit: Self.limit).map { try JSONLines.decode(Entry.self, from: $0) } }
    }

    /// The login's identifier is random, so the name is unique.
    private static func name(_ login: LoginKey) -> String {
        String(decoding: login.login.utf8.filter { $0.isNameByte }, as: UTF8.self) + ".json"
    }

    private func converting<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw KeychainError.failed("\(error)") }
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }
}
