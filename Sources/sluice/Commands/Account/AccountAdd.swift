import Accounts
import ArgumentParser
import ShareModel

/// `sluice account add`: describe an account. It has no secret.
struct AccountAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an account of a service.",
        discussion: """
            The kinds are 'token' (one that the service shows, and you paste), 'password' (with your name; take one for this program \
            alone), 'oauth' (you log in with a browser on any device) and 's3' (an access key, which signs the requests). A service that can say whose token it is should be asked \
            before each use:

              sluice account add notes --kind token --who-url https://notes.example/api/me --who-field login
              sluice account add photos --kind oauth --device-url https://login.example/device \\
                --token-url https://login.example/token --client-id sluice --scope "offline upload" --share-scope upload

            The account is a file of the folder 'accounts' in your configuration folder. It has no secret.

            Exit status: 0 added; 1 there is one of this name, without --replace; 64 usage.
            """)

    @Argument(help: "Its name: lower-case letters, digits and hyphens.", transform: AccountArgument.parse)
    var name: AccountArgument

    @Option(help: "How you log in: token, password, oauth or s3.", transform: kind)
    var kind: AccountDefinition.Kind

    @Option(
        help: ArgumentHelp("The address of the service, for sinks without a network of their own.", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("Asks whose token it is.", valueName: "url"))
    var whoURL: String?

    @Option(help: ArgumentHelp("The place of your name in the answer, such as 'user/login'.", valueName: "keys"))
    var whoField: String?

    @Option(help: ArgumentHelp("Gives the code for your browser (oauth).", valueName: "url"))
    var deviceURL: String?

    @Option(help: ArgumentHelp("Gives the tokens (oauth).", valueName: "url"))
    var tokenURL: String?

    @Option(
        name: .customLong("client-id"),
        help: ArgumentHelp("The name of this program at the service (oauth).", valueName: "id"))
    var clientID: String?

    @Option(help: ArgumentHelp("A file with the secret of this program at the service (oauth).", valueName: "file"))
    var clientSecretFile: PathArgument?

    @Option(help: ArgumentHelp("The rights of the login (oauth).", valueName: "words"))
    var scope: String?

    @Option(help: ArgumentHelp("The fewer rights that sinks get (oauth).", valueName: "words"))
    var shareScope: String?

    @Option(help: "The region of the service (s3). The default is us-east-1.")
    var region: String?

    @Option(
        name: .customLong("ca-file"),
        help: ArgumentHelp("The certificates that count, instead of the system's.", valueName: "file"))
    var caFile: PathArgument?

    @Option(
        help: ArgumentHelp("A proxy through which the service is called. Without it, none is used.", valueName: "url"))
    var proxy: String?

    @Option(help: ArgumentHelp("The most transfers at a time, 1 to 18. The default is 4.", valueName: "n"))
    var maxTransfers: Int?

    @Option(
        name: .customLong("max-mib"),
        help: ArgumentHelp("The largest body of a request to the service, in MiB.", valueName: "n"))
    var maxMiB: Int?

    @Flag(
        name: .customLong("plain-http"),
        help: "Set 'plain_http': allow addresses with http:, which anyone on the way can read.")
    var plainHTTP = false

    @Flag(help: "Replace an account of this name. Its login stays if its servers stay.")
    var replace = false

    private static func kind(_ word: String) throws -> AccountDefinition.Kind {
        guard let kind = AccountDefinition.Kind(rawValue: word) else {
            throw ValidationError("'\(word)' is no kind; the kinds are token, password, oauth and s3")
        }
        return kind
    }

    private var definition: AccountDefinition {
        var definition = AccountDefinition(kind: kind)
        definition.url = url
        definition.who = whoURL.map { .init(url: $0, field: whoField ?? "") }
        (definition.deviceURL, definition.tokenURL, definition.clientID) = (deviceURL, tokenURL, clientID)
        definition.clientSecretFile = clientSecretFile?.path.absolute.string
        (definition.scope, definition.shareScope) = (scope, shareScope)
        (definition.region, definition.proxy) = (region, proxy)
        (definition.maxTransfers, definition.maxMiB) = (maxTransfers, maxMiB)
        definition.plainHTTP = plainHTTP ? true : nil
        definition.caFile = caFile?.path.absolute.string
        return definition
    }

    func validate() throws {
        guard (whoURL == nil) == (whoField == nil) else {
            throw ValidationError("--who-url and --who-field belong together.")
        }
        let oauth: [(String, Any?)] = [
            ("--device-url", deviceURL), ("--token-url", tokenURL), ("--client-id", clientID),
            ("--client-secret-file", clientSecretFile), ("--scope", scope), ("--share-scope", shareScope),
        ]
        if kind != .oauth, let given = oauth.first(where: { $0.1 != nil }) {
            throw ValidationError("\(given.0) is for --kind oauth.")
        }
        if kind != .s3, region != nil { throw ValidationError("--region is for --kind s3.") }
        if kind == .oauth, let missing = oauth.prefix(3).first(where: { $0.1 == nil }) {
            throw ValidationError("--kind oauth needs \(missing.0).")
        }
        let urls = [("--url", url), ("--who-url", whoURL), ("--device-url", deviceURL), ("--token-url", tokenURL)]
        if !plainHTTP, let plain = urls.first(where: { $0.1?.hasPrefix("http://") == true }) {
            throw ValidationError(
                "\(plain.0) begins with http://; if anyone on the way may read the token, add --plain-http.")
        }
        if let fault = definition.fault { throw ValidationError("\(fault).") }
    }

    func run() async throws {
        let console = Console()
        let folder = try AccountDesk.definitions()
        let name = name.name
        if !replace, try AccountDefinition.names(in: folder).contains(name) {
            throw AccountError(.name, "there is an account \(name) already; --replace replaces it")
        }
        try definition.write(name, in: folder)
        console.print(
            [
                "added \(name: name.description), in \(folder.path.appending("\(name).json").string)",
                whoURL == nil && kind != .oauth
                    ? "the service will not be asked whose \(kind.rawValue) it is; --who-url does that" : "",
                "next: \(command: "sluice account login \(name.description)"), and in the settings of a sink: "
                    + (url == nil
                        ? "\"secrets\": {\"token\": {\"account\": \"\(name.description)\"}}"
                        : "\"account\": \"\(name.description)\""),
            ].filter { $0.width > 0 })
        try console.finish()
    }
}
