import Accounts
import ArgumentParser
import Files
import GroupContainer
import Ingestion
import ShareModel
import SinkHost
import SystemPackage

/// `sluice account`: who you are at the services that sinks send to.
struct Account: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Add accounts of services, and log in and out.",
        discussion: """
            A sink that sends somewhere uses an account. Its settings name it in the place of a secret, in sinks/<id>.json of your \
            configuration folder:

              {"network": true, "secrets": {"token": {"account": "notes"}}}

            What needs a login waits for it, and is never lost:

              sluice account add notes --kind token
              sluice account login notes

            A login is for one container, and lies in the keychain of your desktop; without one, in a file that only you can read. \
            SLUICE_KEYCHAIN=file uses the file all the same.
            """,
        subcommands: [
            AccountAdd.self, AccountList.self, AccountLogin.self, AccountLogout.self, AccountRemove.self,
            AccountNotify.self,
        ],
        defaultSubcommand: AccountList.self)
}

/// The name of an account, as an argument.
struct AccountArgument: ExpressibleByArgument {
    let name: AccountName

    init?(argument: String) {
        guard let name = AccountName(argument) else { return nil }
        self.name = name
    }

    static func parse(_ text: String) throws -> AccountArgument {
        guard let name = AccountArgument(argument: text) else {
            throw ValidationError("'\(text)' is no name of an account: lower-case letters, digits and hyphens")
        }
        return name
    }
}

/// The accounts of a container, for a person.
struct AccountDesk {
    let book: AccountBook
    private let options: IngestOptions

    /// The accounts of a container that exists.
    init(_ options: IngestOptions) {
        self.options = options
        book = Pipeline(options: options).accounts
    }

    /// - Parameter makesContainer: whether to make the container if there is none. A folder that was named must be there.
    init(_ container: ContainerOption, makesContainer: Bool) async throws {
        let options = try container.options(isPlan: !makesContainer)
        if makesContainer { _ = try await Pipeline(options: options).openContainer(makes: !container.isNamed) }
        self.init(options)
    }

    /// The folder of the definitions, without a container.
    ///
    /// - Throws: ``AccountError`` if there is none.
    static func definitions() throws -> PrivateFolder {
        guard let folder = SinkPlaces().configuration else {
            throw AccountError(
                .definition, "there is no configuration folder, because HOME is not set; set SLUICE_CONFIG")
        }
        return PrivateFolder(folder.absolute.appending("accounts"))
    }

    var container: FilePath { options.container }

    func folderNames() throws -> [AccountName] { try AccountDefinition.names(in: Self.definitions()) }

    /// - Throws: ``AccountError`` if there is no such account.
    func definition(of account: AccountName) throws -> AccountDefinition {
        guard let found = try AccountDefinition.read(account, in: Self.definitions()) else {
            throw try unknown(account)
        }
        return found
    }

    /// The error for an account that does not exist.
    func unknown(_ account: AccountName) throws -> AccountError {
        let names = try folderNames().map(\.description)
        guard let near = NearestName.of(account.description, among: names) else {
            let remedy = names.isEmpty ? Remedy.addAccount("\(account)") : nil
            let list = names.isEmpty ? "" : "; the accounts are \(names.joined(separator: ", "))"
            return AccountError(.name, "there is no account \(account)\(list)", remedy: remedy)
        }
        return AccountError(.name, "there is no account \(account); did you mean \(near)?")
    }

    /// The answer to a request.
    ///
    /// - Throws: ``AccountError`` with the reason of an answer that is none.
    func ask(
        _ order: AccountRequest.Order, code: @escaping @Sendable (DeviceCode) -> Void = { _ in }
    ) async throws -> AccountAnswer {
        switch try await book.program.ask(AccountRequest(order, in: book.places), code: code) {
        case .refused(let why): throw AccountError(.login, why)
        case .unavailable(let why): throw AccountError(.keychain, why)
        case .loginNeeded(let why): throw AccountError(.login, why)
        case let answer: return answer
        }
    }

    /// The open deliveries whose sinks use an account.
    func open(_ account: AccountName) async throws -> [OpenDeliveries] {
        guard try !CatalogReader(reading: options.container).isOlder else { return [] }
        return try await Pipeline(options: options).openDeliveries().filter { book.accounts[$0.sink] == account }
    }
}
