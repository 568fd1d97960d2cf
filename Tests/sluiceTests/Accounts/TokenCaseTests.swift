import Foundation
import ShareModel
import SystemPackage
import Testing

/// The table of token cases: each file of `Cases` is one, with the real programs and a real service. To add a case, add a file.
@Suite(.timeLimit(.minutes(5))) struct TokenCaseTests {
    /// A case: what a person and the service do, and what the person then sees.
    struct Case: Decodable {
        var what: String
        var account: [String]?
        var steps: [Step]
    }

    struct Step: Decodable {
        /// A command, its words separated by blanks.
        var run: String?
        /// The standard input of the command.
        var input: String?
        /// Variables of its environment.
        var variables: [String: String]?
        var status: Int32?
        /// What its output or its messages have.
        var says: [String]?
        var saysNot: [String]?
        /// A change of the service.
        var service: JSONValue?
        /// What the service has seen by now: links with their persons, refreshes …
        var seen: JSONValue?
        /// A file of the scene to write, and its text, in which SERVICE is the address of the service.
        var write: [String]?
        /// A folder of files from which the last byte is cut.
        var damage: String?
        /// A folder that has no file any more.
        var empty: String?
        /// A file or folder of the scene to remove.
        var remove: String?
        /// Sets the clock by this number of milliseconds, as far as the keychain can tell: its times move the other way.
        var clock: Int64?
        /// Another sink, with its account.
        var sink: [String]?
    }

    static let names = Result {
        try FileManager.default.contentsOfDirectory(atPath: AccountScene.here.appending(path: "Cases").path).sorted()
    }

    @Test func thereAreCases() throws { #expect(try Self.names.get().count >= 12) }

    @Test(arguments: (try? names.get()) ?? []) func isAsItsFileSays(_ name: String) throws {
        let url = AccountScene.here.appending(path: "Cases/\(name)")
        let own = try JSONDecoder().decode(Case.self, from: Data(contentsOf: url))
        let scene = try AccountScene()
        let account = own.account ?? ["oauth"]
        try scene.addAccount(kind: account[0], asks: !account.contains("silent"))
        if account[0] == "password" { try scene.addSink("post-link", account: "notes", hasPassword: true) }
        for (place, step) in own.steps.enumerated() { try take(step, scene, "\(name), step \(place + 1)") }
    }

    private func take(_ step: Step, _ scene: AccountScene, _ place: String) throws {
        if let change = step.service { try scene.service.change(change) }
        if let sink = step.sink { try scene.addSink(sink[0], account: sink[1]) }
        if let file = step.write {
            try scene.folder.write(file[0], file[1].replacingOccurrences(of: "SERVICE", with: scene.service.address))
        }
        if let folder = step.empty { #expect(Disk.names(in: scene.folder[folder]).isEmpty, "\(place)") }
        if let folder = step.damage {
            for name in Disk.names(in: scene.folder[folder]) {
                try scene.folder.write("\(folder)/\(name)", Disk.bytes(scene.folder[folder].appending(name)).dropLast())
            }
        }
        if let remove = step.remove { try FileManager.default.removeItem(atPath: scene.folder[remove].string) }
        if let clock = step.clock { try scene.moveKeychain(by: -clock) }
        if let command = step.run {
            var program = scene.program
            program.variables.merge(step.variables ?? [:]) { $1 }
            let words = command.split(separator: " ").map {
                $0.replacingOccurrences(of: "SERVICE", with: scene.service.address)
            }
            let end = try program.run(words, input: step.input ?? "")
            #expect(end.status == step.status ?? 0, "\(place): \(end.output)\(end.errors)")
            let text = end.output + end.errors
            for words in step.says ?? [] { #expect(text.contains(words), "\(place): \(text)") }
            for words in step.saysNot ?? [] { #expect(!text.contains(words), "\(place): \(text)") }
        }
        guard case .object(let wanted)? = step.seen else { return }
        let seen = try JSONValue(json: Array(JSONEncoder().encode(SeenValue(scene.service.seen))))
        for (key, value) in wanted { #expect(seen[key] == value, "\(place): \(seen)") }
    }

    private struct SeenValue: Encodable {
        var links: [[String]]
        var refreshes, reuses, logins, refusals: Int

        init(_ seen: LinkService.Seen) {
            links = seen.links
            (refreshes, reuses, logins, refusals) = (seen.refreshes, seen.reuses, seen.logins, seen.refusals)
        }
    }
}
