import Accounts
import Glibc
import ShareModel

/// Gives out the share token of an account, if the container's marker and the service agree on whose it is.
struct TokenOrder {
    private let logins: Logins
    private let account: AccountName
    private let refused: TokenRefusal?
    private let definition: AccountDefinition

    init(_ logins: Logins, _ account: AccountName, refused: TokenRefusal?) throws {
        self.logins = logins
        self.account = account
        self.refused = refused
        definition = try logins.definition(of: account)
    }

    func run() throws -> AccountAnswer {
        try logins.withLock(account) {
            do { return try answer() } catch let error as KeychainError { return .unavailable(why: "\(error)") }
        }
    }

    private func answer() throws -> AccountAnswer {
        guard let marker = logins.marker(of: account) else {
            // The keychain may be older than the container, and have the login of an earlier person.
            return .loginNeeded(why: AccountMarker.whyNone)
        }
        guard let login = marker.login, let kind = marker.keychain else {
            return .loginNeeded(why: marker.whyLogin ?? "its marker names no keychain")
        }
        let (key, keychain) = (logins.key(account, login), try logins.keychain(kind))
        guard let text = try keychain.secret(of: key) else {
            // The marker stays: this process may look into another keychain than the one that logged in.
            return .loginNeeded(
                why: logins.hasOther(account)
                    ? "the login in the keychain is not that of this container's \(marker.user)"
                    : "the keychain does not have the login of \(marker.user) any more")
        }
        guard var credential = try? JSONLines.decode(Credential.self, from: text.utf8) else {
            return .loginNeeded(why: "its entry in the keychain is damaged")
        }
        let owner = AccountUser(account: account, user: marker.user)
        var held = Held(
            credential: credential, label: "Sluice: \(account) (\(marker.user))", key: key, keychain: keychain)
        func over(_ why: String) throws -> AccountAnswer { try end(marker, held, why) }
        var isRefused = refused?.login == login && refused?.generation == credential.generation
        guard credential.origins == definition.origins else {
            return try over("the addresses of the account have changed since the login")
        }
        let now = Clock.systemNanoseconds() / 1_000_000
        // The service may say that the token is good. Then the sink's delivery is at fault.
        let isAsked = definition.who != nil
        if isRefused, credential.isRefusedAgain(at: now, refused) {
            guard isAsked else { return try over(Self.refusal) }
            isRefused = false
        }
        if isRefused, isAsked, credential.refreshToken == nil { isRefused = false }
        // Twice, because the service may refuse a token that looks fresh.
        for isLast in [false, true] {
            if isRefused || !isLast && !credential.isFresh(at: now) {
                switch try refresh(&held, followsRefusal: isRefused) {
                case nil: credential = held.credential
                case .over(let why)?: return try over(why)
                case .stays(let answer)?: return answer
                }
            }
            switch WhoAmI.ask(credential, definition) {
            case nil: return .token(credential.shareToken(of: owner, login: login))
            case .user(let user)? where user == marker.user:
                return .token(credential.shareToken(of: owner, login: login))
            case .user(let user)?:
                return try over("the service says that its login is \(user)'s, and not \(marker.user)'s")
            case .refused? where !isLast && !credential.isRefusedAgain(at: now, nil): isRefused = true
            case .refused?: return try over(Self.refusal)
            case .unavailable(let why)?: return .unavailable(why: why)
            }
        }
        return try over(Self.refusal)
    }

    private static let refusal = "the service refused its token"

    /// The login in the keychain.
    private struct Held {
        var credential: Credential
        let label: String
        let key: LoginKey
        let keychain: any Keychain

        /// It is durable when this returns.
        func store() throws {
            let text = String(decoding: try JSONLines.encode(credential), as: UTF8.self)
            try keychain.store(text, for: key, label: label)
        }
    }

    /// Keeps the signals away that end a process from outside, until ``end()``.
    private struct BlockedSignals {
        private var before = sigset_t()

        init() {
            var blocked = sigset_t()
            sigemptyset(&blocked)
            for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&blocked, signal) }
            pthread_sigmask(SIG_BLOCK, &blocked, &before)
        }

        func end() {
            var before = before
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
    }

    private enum NoRefresh {
        case over(String)
        case stays(AccountAnswer)
    }

    /// Refreshes the token. The new login is durable before its token is used; a process that dies before that leaves one that counts as
    /// used up.
    private func refresh(_ held: inout Held, followsRefusal: Bool) throws -> NoRefresh? {
        guard definition.kind == .oauth, held.credential.refreshToken != nil else {
            return .over(followsRefusal ? Self.refusal : "its token has ended")
        }
        guard !held.credential.isSpent else { return .over("its last refresh was cut off") }
        let oauth = try OAuth(definition)
        // A signal now would cost the login.
        let signals = BlockedSignals()
        defer { signals.end() }
        held.credential.isSpent = true
        try held.store()
        switch oauth.refresh(held.credential) {
        case .refreshed(let new):
            held.credential = new
            held.credential.followsRefusal = followsRefusal
            try held.store()
            return nil
        case .later(let why):
            held.credential.isSpent = false
            try held.store()
            return .stays(.unavailable(why: why))
        case .refused(let why):
            held.credential.isSpent = false
            try held.store()
            return .stays(.refused(why: why))
        case .over(let why): return .over(why)
        }
    }

    /// Ends the login for all deliveries.
    private func end(_ marker: AccountMarker, _ held: Held, _ why: String) throws -> AccountAnswer {
        try logins.write(AccountMarker(user: marker.user, why: why), of: account)
        // Without a marker it is never used.
        try? held.keychain.remove(held.key)
        return .loginNeeded(why: why)
    }
}
