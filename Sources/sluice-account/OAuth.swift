import Accounts
import Dispatch
import Files
import Glibc
import ShareModel
import SystemPackage

/// OAuth 2.0 with a service: device authorization (RFC 8628), and the refresh of tokens (RFC 6749, section 6).
struct OAuth {
    private let web: Web
    private let deviceURL: String
    private let tokenURL: String
    private let client: [(String, String?)]
    private let scope: String?
    private let shareScope: String?

    init(_ definition: AccountDefinition) throws {
        web = Web(definition)
        // The definition was checked.
        (deviceURL, tokenURL) = (definition.deviceURL ?? "", definition.tokenURL ?? "")
        client = [
            ("client_id", definition.clientID), ("client_secret", try Self.secret(definition.clientSecretFile)),
        ]
        (scope, shareScope) = (definition.scope, definition.shareScope)
    }

    private static func secret(_ file: String?) throws -> String? {
        guard let file else { return nil }
        guard let bytes = try SmallFile.read(FilePath(file), limit: 64 << 10) else {
            throw AccountError(.definition, "the file of the client's secret, \(file), is not there")
        }
        return String(decoding: bytes, as: UTF8.self).trimmed
    }

    // MARK: - Device authorization

    /// Lets a person log in with a browser, on any device. Blocks its thread until then.
    func logIn(_ show: (DeviceCode) throws -> Void) throws -> Credential {
        let answer: Web.Answer
        do {
            answer = try web.post(deviceURL, client + [("scope", scope)])
        } catch let error as Web.Failure {
            throw LoginRefusal("\(error)")
        }
        let json = answer.json
        guard answer.status == 200, case .string(let deviceCode) = json["device_code"],
            case .string(let code) = json["user_code"], case .string(let url) = json["verification_uri"]
        else { throw LoginRefusal("the service gives no code: \(Self.reason(answer))") }
        let seconds = min(max(json["expires_in"]?.whole ?? 600, 1), 86_400)
        // Without a word of the service: 5 seconds (section 3.2).
        var interval = min(max(json["interval"]?.whole ?? 5, 1), 600)
        try show(
            DeviceCode(
                url: Self.shown(url), code: Self.shown(code),
                completeURL: json["verification_uri_complete"]?.text.map(Self.shown), seconds: seconds))
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            sleep(UInt32(interval))
            let began = Self.now
            let form: [(String, String?)] = [
                ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode),
            ]
            guard let answer = try? web.post(tokenURL, form + client) else {
                // Section 3.5: exponentially, if the service does not answer.
                interval = min(interval * 2, 60)
                continue
            }
            if answer.status == 200, case .string(let token) = answer.json["access_token"] {
                guard Self.isShort(answer) else { throw LoginRefusal("the service gives a token that is too long") }
                var credential = Credential(token: token, began: began)
                credential.setLife(answer.json["expires_in"]?.whole)
                credential.refreshToken = answer.json["refresh_token"]?.text
                return credential
            }
            switch answer.json["error"]?.text {
            case "authorization_pending": break
            case "slow_down": interval += 5
            case "access_denied": throw LoginRefusal("the login was denied at the service")
            case "expired_token": throw LoginRefusal("the code has ended; begin again")
            default:
                guard answer.status < 500 else { break }
                throw LoginRefusal("the service refuses the login: \(Self.reason(answer))")
            }
        }
        throw LoginRefusal("the code has ended; begin again")
    }

    /// Without control characters, which a terminal would act upon.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(1_000)))
    }

    // MARK: - Refresh

    /// Whether the rights of the first token are those of a share token.
    var sharesWholeScope: Bool { shareScope == nil }

    /// How a refresh ended.
    enum Refresh {
        /// There is a new token. The refresh token of the service counts from now on, even if it is the same.
        case refreshed(Credential)
        /// The service has not used up the refresh token.
        case later(String)
        /// The login is over, or the refresh token may be used up.
        case over(String)
        /// The service does not know this program.
        case refused(String)
    }

    /// Sends the refresh token, which may use it up.
    func refresh(_ credential: Credential) -> Refresh {
        let began = Self.now
        let form: [(String, String?)] = [
            ("grant_type", "refresh_token"), ("refresh_token", credential.refreshToken), ("scope", shareScope),
        ]
        let answer: Web.Answer
        do { answer = try web.post(tokenURL, form + client) } catch let failure as Web.Failure {
            return failure.mayHaveArrived
                ? .over("the answer to its last refresh was lost (\(failure))") : .later("\(failure)")
        } catch {
            return .later("\(error)")
        }
        if answer.status == 200, case .string(let token) = answer.json["access_token"] {
            guard Self.isShort(answer) else { return .over("the service gives a token that is too long") }
            var new = credential
            (new.token, new.began, new.isSpent) = (token, began, false)
            new.generation += 1
            new.setLife(answer.json["expires_in"]?.whole)
            new.refreshToken = answer.json["refresh_token"]?.text ?? credential.refreshToken
            return .refreshed(new)
        }
        switch (answer.status, answer.json["error"]?.text) {
        case (429, _): return .later("the service answers 429")
        // Without a time it may come from a gateway, behind which the service has used the token up.
        case (503, _) where answer.namesRetry: return .later("the service answers 503")
        case (400..<500, "invalid_client"), (400..<500, "unauthorized_client"):
            return .refused("the service refuses this program: \(Self.reason(answer))")
        case (400..<500, _): return .over("the service ended the login: \(Self.reason(answer))")
        // It may have used the token up before it failed.
        default: return .over("its last refresh failed: \(Self.reason(answer))")
        }
    }

    /// The longest token, in bytes. A sink's secret must not be longer.
    private static let tokenLimit = 64 << 10

    private static func isShort(_ answer: Web.Answer) -> Bool {
        ["access_token", "refresh_token"].allSatisfy { answer.json[$0]?.text?.utf8.count ?? 0 <= tokenLimit }
    }

    /// What the service says about a failure. Its description may repeat a token, so only the code of RFC 6749 (section 5.2) counts.
    private static func reason(_ answer: Web.Answer) -> String {
        let code = answer.json["error"]?.text.map(shown) ?? ""
        let isCode =
            (1...60).contains(code.utf8.count) && code.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0.isLetter }
        return isCode ? code : "it answers \(answer.status)"
    }

    /// In milliseconds since 1970.
    private static var now: Int64 { Clock.systemNanoseconds() / 1_000_000 }
}

/// Why a login is not taken.
struct LoginRefusal: Error {
    let why: String

    init(_ why: String) { self.why = why }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension JSONValue {
    /// A whole number, which some services send as a text.
    var whole: Int? {
        switch self {
        case .integer(let number): Int(exactly: number)
        case .number(let number): Int(exactly: number.rounded())
        case .string(let text): Int(text)
        default: nil
        }
    }
}
