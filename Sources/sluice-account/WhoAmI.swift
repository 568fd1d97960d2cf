import Accounts
import ShareModel

/// The question whose token this is, to which the service has the last word.
enum WhoAmI {
    enum Answer {
        case user(String)
        /// The service refuses the token.
        case refused
        case unavailable(String)
    }

    /// `nil` if the account has no such request.
    static func ask(_ credential: Credential, _ definition: AccountDefinition) -> Answer? {
        guard let who = definition.who else { return nil }
        let answer: Web.Answer
        do {
            answer = try Web(definition).get(who.url, headers: [credential.authorization(definition.kind)])
        } catch {
            return .unavailable("\(error)")
        }
        switch answer.status {
        case 200:
            let place = who.field.split(separator: "/").reduce(JSONValue?.some(answer.json)) { value, key in
                switch value {
                case .object(let members): members[String(key)]
                case .array(let values): Int(key).flatMap { values.indices.contains($0) ? values[$0] : nil }
                default: nil
                }
            }
            let name = if case .integer(let number)? = place { "\(number)" } else { place?.text }
            guard let name, let user = UserName.checked(name) else {
                return .unavailable(
                    "the answer to the question who is logged in has no name at '\(who.field)'; change 'who.field' of the account"
                )
            }
            return .user(user)
        case 401: return .refused
        default: return .unavailable("the question who is logged in is answered with the status \(answer.status)")
        }
    }
}

/// The name of a person at a service.
enum UserName {
    /// In bytes.
    private static let limit = 256

    /// The name; `nil` if it is empty, too long, or has control characters.
    static func checked(_ text: String) -> String? {
        // In one form, because a delivery compares the bytes.
        let name = text.trimmed.composed
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return isPlain && (1...limit).contains(name.utf8.count) ? name : nil
    }
}
