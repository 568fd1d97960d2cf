import Accounts
import CDesktop
import Files
import Glibc
import ShareModel
import SystemPackage

/// The program that keeps logins: it reads one request, and writes its answers. See the guide of the module `Accounts`.
@main
struct Main {
    static func main() {
        ProcessMemory.hide()
        signal(SIGPIPE, SIG_IGN)
        var lines = LineReader(.standardInput)
        do {
            guard let line = try lines.next(), !line.isTooLong else { exit(64) }
            let request = try JSONLines.decode(AccountRequest.self, from: line.bytes)
            if !request.order.waitsForPerson { alarm(limit) }
            try write(answer(request))
        } catch {
            // The reader has gone, or the request is none.
            exit(64)
        }
    }

    /// The longest time of a request that waits for no person, in seconds. All of its parts have shorter limits; this one is for a system
    /// that hangs.
    private static let limit: UInt32 = 300

    private static func answer(_ request: AccountRequest) -> AccountAnswer {
        let logins = Logins(request.places)
        do {
            switch request.order {
            case .token(let account, let refused): return try TokenOrder(logins, account, refused: refused).run()
            case .login(let account, let given):
                return try LoginOrder(logins, account, given: given).run { try write(.code($0)) }
            case .logout(let account): return try logOut(account, logins)
            case .remove(let account):
                let problem = try logins.withLock(account) {
                    let marker = logins.marker(of: account)
                    try logins.removeMarker(of: account)
                    return marker.flatMap { logins.remove($0, of: account) } ?? logins.removeStored(account)
                }
                if let problem { throw problem }
                guard let folder = request.places.definitions else { break }
                try AccountDefinition.remove(account, in: PrivateFolder(FilePath(folder)))
            case .list:
                let (found, problem) = logins.all()
                return .logins(found, problem: problem?.description)
            case .removeGone:
                let (removed, problem) = logins.removeGone()
                return .logins(removed, problem: problem?.description)
            case .notify(let title, let text, let button):
                return notify(title, text, button)
            }
            return .done
        } catch let error as KeychainError {
            return .unavailable(why: "\(error)")
        } catch {
            return .refused(why: "\(error)")
        }
    }

    /// Also without a definition, which may have been removed before.
    private static func logOut(_ account: AccountName, _ logins: Logins) throws -> AccountAnswer {
        var user: String?
        let problem = try logins.withLock(account) {
            if let marker = logins.marker(of: account) {
                if marker.login != nil { user = marker.user }
                try logins.write(AccountMarker(user: marker.user), of: account)
                return logins.remove(marker, of: account) ?? logins.removeStored(account)
            }
            return logins.removeStored(account)
        }
        // What is left is never used, and a list shows it.
        if let problem { throw problem }
        return .loggedOut(user: user)
    }

    /// The time for which the button works, in seconds.
    private static let notificationSeconds: Int32 = 3_600

    private static func notify(_ title: String, _ text: String, _ button: String) -> AccountAnswer {
        var reason = [CChar](repeating: 0, count: Int(CDESKTOP_REASON))
        let result = cdesktop_notify(title, text, button, notificationSeconds, &reason)
        switch cdesktop_result(UInt32(bitPattern: result)) {
        case CDESKTOP_OK: return .done
        case CDESKTOP_ABSENT: return .unavailable(why: "there is no desktop that shows notifications")
        default: return .refused(why: "the notification was closed")
        }
    }

    private static func write(_ answer: AccountAnswer) throws {
        let line = try JSONLines.line(answer, limit: AccountAnswer.limit)
        _ = try FileDescriptor.standardOutput.writeAll(line)
    }
}
