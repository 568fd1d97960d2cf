import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Accounts
@testable import Ingestion

/// A service that ends a whole login if a used refresh token comes again: no process may send one.
@Suite(.timeLimit(.minutes(5))) struct RefreshTests {
    private let scene: AccountScene

    init() throws {
        scene = try AccountScene()
        try scene.addAccount()
        try scene.logIn(as: "ada")
    }

    /// Makes the token count as ended, so that the next request needs a refresh.
    private func end() throws { try scene.moveKeychain(by: -86_400_000) }

    private var request: AccountRequest {
        get throws {
            let name = try #require(AccountName("notes"))
            return AccountRequest(.token(of: name, refused: nil), in: places)
        }
    }

    private var places: AccountPlaces {
        let root = scene.program.container
        return AccountPlaces(
            container: root, markers: root.appending("accounts"), locks: root.appending("run"),
            wake: root.appending("run/changes"), definitions: scene.folder["config/accounts"],
            keychain: scene.folder["data/sluice/keychain"])
    }

    private var program: AccountProgram {
        AccountProgram(nil, beside: FilePath(Program.folder.appending(path: "sluice").path))
    }

    /// The order of the end decides, not the clock: the token of the first refresh lasts.
    @Test func ofManyProcessesOneRefreshes() async throws {
        try end()
        try scene.service.change(["delay": .number(0.2)])
        let (program, request) = (program, try request)
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 1...8 {
                group.addTask {
                    guard case .token(let token) = try await program.ask(request) else { return "" }
                    return token.secret
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1 && tokens.first?.isEmpty == false, "all have the token of the one refresh")
        let seen = try scene.service.seen
        #expect(seen.refreshes == 1 && seen.reuses == 0, "\(seen)")
    }

    /// A death costs at most a login, whenever it comes.
    @Test(
        .needs("strace", FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")),
        arguments: ["fsync", "rename", "sendto", "recvfrom", "connect", "flock", "write"])
    func aKilledRefreshIsNeverSentAgain(_ call: String) async throws {
        let line = String(decoding: try JSONLines.line(request, limit: 1 << 20), as: UTF8.self)
        let input = try scene.folder.write("request", line)
        var (kills, logins) = (0, 0)
        for place in 1...40 {
            try end()
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = [
                "-c",
                """
                exec strace -f -qq -o /dev/null -e trace=\(call) -e inject=\(call):signal=KILL:when=\(place) \
                '\(Program.folder.appending(path: "sluice-account").path)' <'\(input)' >/dev/null 2>&1
                """,
            ]
            try process.run()
            process.waitUntilExit()
            guard process.terminationReason == .uncaughtSignal || process.terminationStatus != 0 else { break }
            kills += 1
            switch try await program.ask(request) {
            case .token: break
            case .loginNeeded:
                logins += 1
                try scene.logIn(as: "ada")
            case let other: Issue.record("after kill \(place) at \(call): \(other)")
            }
            #expect(try scene.service.seen.reuses == 0, "after kill \(place) at \(call)")
        }
        #expect(kills > 0, "no kill at \(call)")
        #expect(try scene.service.seen.logins == 1 + logins)
    }
}
