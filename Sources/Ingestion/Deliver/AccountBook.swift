package import Accounts
internal import Files
internal import GroupContainer
package import ShareModel
package import SinkHost
internal import SystemPackage
package import Transfers

/// The accounts of a container's sinks: who is logged in, and the tokens for the sinks.
///
/// It keeps nothing between two calls, because another process may log in or out at any moment.
package struct AccountBook: TokenSource {
    /// The account of each sink that has one.
    package let accounts: [String: AccountName]
    private let options: IngestOptions
    private let markers: PrivateFolder

    package init(_ options: IngestOptions, _ registry: SinkRegistry) {
        let pairs = registry.sinks.compactMap { sink in sink.account.map { (sink.id, $0) } }
        accounts = Dictionary(pairs) { first, _ in first }
        self.options = options
        markers = PrivateFolder(ContainerLayout(root: options.container).accounts)
    }

    package var places: AccountPlaces {
        let layout = layout
        // By its real path: the keychain knows the container by it.
        return AccountPlaces(
            container: layout.root, markers: layout.accounts, locks: layout.run, wake: layout.changes,
            definitions: options.configurationFolder?.absolute.appending("accounts"),
            keychain: options.keychainFolder?.absolute)
    }

    package var program: AccountProgram { AccountProgram(options.accountProgram, beside: ProgramPath.current) }

    /// The container, by its real path.
    private var layout: ContainerLayout {
        ContainerLayout(root: options.container.absolute.real ?? options.container)
    }

    /// Makes the requests of sinks.
    ///
    /// - Parameter recorded: called when a transfer is on record.
    func makePerformer(_ client: TransferClient, recorded: @escaping @Sendable () -> Void) -> TransferPerformer {
        TransferPerformer(
            client: client, files: TransferFiles(layout.root), places: places, session: options.transferSession,
            agent: options.agentCommand,
            recorded: recorded)
    }

    /// The connection to the container's transfer process.
    package func makeClient() -> TransferClient {
        let program =
            options.transferProgram ?? CompanionProgram.find(TransferClient.program, beside: ProgramPath.current)
        return TransferClient(
            container: layout.root, run: layout.run, program: program, accountProgram: options.accountProgram)
    }

    // MARK: - Who is logged in

    /// The marker of an account; `nil` if the container has none.
    package func marker(of account: AccountName) -> AccountMarker? { AccountMarker.read(account, in: markers) }

    /// The login under which a new delivery to a sink goes out: that of the person whose container it is, also after a logout. `nil` if
    /// the sink has no account, or if no one has ever logged in.
    func login(of sink: String) -> AccountUser? {
        guard let account = accounts[sink] else { return nil }
        // With a marker that cannot be read, the delivery is nobody's, and a person decides.
        do {
            return try AccountMarker.find(account, in: markers).map { AccountUser(account: account, user: $0.user) }
        } catch {
            return AccountUser(account: account, user: Self.unknownUser)
        }
    }

    /// The person of a share at whose time the marker could not be read. No service has such a name.
    private static let unknownUser = ""

    /// The markers of all accounts. They differ after each login and logout.
    var markersOfAll: [AccountName: AccountMarker] {
        accounts.values.reduce(into: [:]) { found, account in found[account] = marker(of: account) }
    }

    /// Why the account of a sink needs a login; `nil` if it needs none that the container knows of.
    func whyLogin(_ sink: String) -> String? {
        guard let account = accounts[sink] else { return nil }
        guard isDefined(account) else {
            return "the account \(account), which the settings of \(sink) name, does not exist".with(
                .addAccount("\(account)"))
        }
        let found: AccountMarker?
        do { found = try AccountMarker.find(account, in: markers) } catch {
            return Self.why(account, "its user marker cannot be read")
        }
        guard let marker = found else { return Self.why(account, AccountMarker.whyNone) }
        return marker.whyLogin.map { Self.why(account, $0) }
    }

    /// Whether a definition is there, even one that cannot be used.
    private func isDefined(_ account: AccountName) -> Bool {
        guard let folder = options.configurationFolder?.absolute.appending("accounts") else { return false }
        return (try? PrivateFolder(folder).has(AccountDefinition.file(account))) ?? true
    }

    private static func why(_ account: AccountName, _ why: String) -> String {
        "the account \(account) needs a login: \(why)".with(.logIn(account: "\(account)"))
    }

    /// What a person has to do for the open deliveries of a sink first, and why; `nil` if there is nothing.
    ///
    /// - Parameter login: the login that they go out under.
    func need(_ sink: String, _ login: AccountUser?) -> (OpenDeliveries.Need, why: String)? {
        guard let account = accounts[sink] else {
            return login.map { login in
                let person = login.user.isEmpty ? "an unknown person" : login.user
                let why = "shared as \(person) of \(login.account), and the sink uses no account now"
                return (.decision, "\(why); name the account in its settings again, or dismiss them")
            }
        }
        if let login, let own = self.login(of: sink), login != own {
            let person = login.user.isEmpty ? "an unknown person" : login.user
            let why = "shared as \(person) of \(login.account), and \(own.user) is the person of \(account) now"
            return (.decision, why.with(.deliverAs(account: "\(account)")))
        }
        return whyLogin(sink).map { (.login, $0) }
    }

    /// The open deliveries with what a person has to do for them first.
    func annotated(_ open: [OpenDeliveries]) -> [OpenDeliveries] {
        open.map { open in
            var open = open
            open.account = accounts[open.sink]
            guard let (need, why) = need(open.sink, open.login) else { return open }
            (open.needs, open.why, open.due) = (need, why, 0)
            return open
        }
    }

    /// The receipt with the reason of each open delivery for which a person has to do something first.
    func annotated(_ receipt: Receipt) -> Receipt {
        var receipt = receipt
        receipt.changeDeliveries { record in
            guard record.outcome == .pending, let (_, why) = need(record.sink, record.login) else { return }
            (record.why, record.due) = (record.why.map { "\($0); \(why)" } ?? why, nil)
        }
        return receipt
    }

    // MARK: - Tokens

    package func token(of account: AccountName, refused: TokenRefusal?) async throws -> ShareToken {
        let answer: AccountAnswer
        do {
            answer = try await program.ask(AccountRequest(.token(of: account, refused: refused), in: places))
        } catch let error as AccountError {
            throw SinkObstacle("\(error)")
        }
        switch answer {
        case .token(let token): return token
        case .loginNeeded(let why): throw SinkObstacle(Self.why(account, why))
        case .unavailable(let why): throw TokenDelay("the account \(account) cannot be used now: \(why)")
        case .refused(let why): throw SinkObstacle(why)
        default: throw SinkObstacle("the program that keeps logins answered another question".with(.installAgain))
        }
    }

    package func owner(of account: AccountName) throws -> AccountUser {
        guard let sink = accounts.first(where: { $0.value == account })?.key else {
            throw SinkObstacle("no sink uses the account \(account)")
        }
        if let why = whyLogin(sink) { throw SinkObstacle(why) }
        guard let marker = marker(of: account) else { throw SinkObstacle(Self.why(account, AccountMarker.whyNone)) }
        return AccountUser(account: account, user: marker.user)
    }

    /// Whether a person is logged in now.
    func isLoggedIn(_ login: AccountUser) -> Bool {
        let marker = marker(of: login.account)
        return marker?.login != nil && marker?.user == login.user
    }

    /// Has the login of an account checked, because its service has refused a request of a sink. If the login is over, the marker says so
    /// afterwards; a failure leaves that to the next refusal.
    func reportRefusal(of account: AccountName, hasWorked: Bool) async {
        guard let token = try? await token(of: account, refused: nil) else { return }
        _ = try? await self.token(of: account, refused: TokenRefusal(of: token, hasWorked: hasWorked))
    }

    package func isCurrent(_ token: ShareToken) -> Bool {
        let marker = marker(of: token.owner.account)
        guard marker?.login == token.login, marker?.user == token.owner.user else { return false }
        return token.end.map { options.clock.nanoseconds() / 1_000_000 < $0 } ?? true
    }
}

extension Pipeline {
    /// The accounts of its sinks.
    package var accounts: AccountBook { AccountBook(options, registry) }

    /// Gives the open deliveries of an account to the person who is logged in now, also those that came in for another one.
    ///
    /// - Returns: the number of deliveries that were another one's.
    /// - Throws: ``IngestionError`` if no one is logged in, or if the container fails; `CancellationError`.
    package func adopt(_ account: AccountName) async throws -> Int {
        do {
            guard let marker = accounts.marker(of: account), marker.login != nil else {
                throw IngestionError(
                    .notFound, "no one is logged in to \(account)", remedy: .logIn(account: "\(account)"))
            }
            let container = try await openContainer(makes: false)
            let sinks = accounts.accounts.filter { $0.value == account }.map(\.key)
            return try await BlockingCall.run {
                // With the lease no process makes a delivery, and what is claimed was left by a dead one.
                let lease = try container.lockAttempt(.deliver).take()
                return try withExtendedLifetime(lease) {
                    try container.deliveries.adopt(
                        sinks, as: AccountUser(account: account, user: marker.user), includesClaimed: lease != nil)
                }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw IngestionError(error)
        }
    }
}
