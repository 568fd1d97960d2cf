import Foundation
import ShareModel
import SystemPackage
import Testing

/// The table of uploads: each file of `Cases` is one, with the real programs and a real server. To add a case, add a file.
@Suite(.timeLimit(.minutes(5))) struct UploadCaseTests {
    struct Case: Decodable {
        var what: String
        /// The script of the server, or `service` for the one of the accounts, which can answer anything.
        var server: String
        var arguments: [String]?
        /// A change of `service` after the login.
        var change: JSONValue?
        /// The service in the settings of the sink, and the folder.
        var service: String
        var folder: String?
        /// Whether the secret is the right one; `true` by default.
        var login: Bool?
        /// The name of the content; `a.bin` by default.
        var name: String?
        /// The sizes of the contents; 6 bytes by default.
        var sizes: [Int]?
        /// Whether another container sends the same content first.
        var again: Bool?
        /// The outcome of each delivery.
        var outcome: DeliveryOutcome
        /// What the reason has.
        var why: [String]?
        /// The files at the server with their sizes; a star stands for the beginning of a digest.
        var files: [String: Int]?
        /// The number of transfers, and their last status.
        var transfers: Int?
        var status: String?
        /// What the metadata have, as JSON.
        var says: [String]?
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")

    static let names = Result { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

    @Test func thereAreCases() throws { #expect(try Self.names.get().count >= 20) }

    @Test(arguments: (try? names.get()) ?? []) func isAsItsFileSays(_ name: String) throws {
        let own = try JSONDecoder().decode(Case.self, from: Data(contentsOf: Self.folder.appending(path: name)))
        let scene = try UploadScene()
        let service = own.server == "service" ? try LinkService() : nil
        let server =
            service == nil ? try UploadServer(own.server, in: scene.serverFolder, own.arguments ?? []) : nil
        func setUp(_ scene: UploadScene) throws {
            if let server {
                try scene.setUp(
                    own.service, at: server, folder: own.folder, secret: own.login == false ? "no-such-secret" : nil)
            } else if let service {
                try scene.setUp(
                    own.service, at: "\(service.address)/files", kind: "token", user: "ada", secret: "token-of-ada",
                    folder: own.folder)
            }
        }
        if own.again == true {
            let first = try UploadScene()
            try setUp(first)
            for size in own.sizes ?? [6] { _ = try first.file("\(size)-" + (own.name ?? "a.bin"), size: size) }
            let end = try first.program.ingest(first.folder["in"])
            try #require(end.status == 0, "\(name): \(end.errors)")
        }
        try setUp(scene)
        if let change = own.change { try service?.change(change) }
        for size in own.sizes ?? [6] { _ = try scene.file("\(size)-" + (own.name ?? "a.bin"), size: size) }
        let end = try scene.program.ingest(scene.folder["in"])
        let records = try end.receipts.map { try scene.delivery(of: $0.packageID) }
        #expect(records.count == (own.sizes ?? [6]).count, "\(name): \(end.errors)")
        for record in records {
            #expect(record.outcome == own.outcome, "\(name): \(record)")
            for why in own.why ?? [] { #expect(record.why?.contains(why) == true, "\(name): \(record)") }
            let json = String(decoding: try JSONLines.encode(record.metadata ?? [:]), as: UTF8.self)
            for words in own.says ?? [] { #expect(json.contains(words), "\(name): \(json)") }
            #expect(!"\(record)".contains("swordfish") && !"\(record)".contains("token-of-ada"))
        }
        if let files = own.files, let server {
            let found = try server.files().map { ($0.key, $0.value) }
            #expect(found.count == files.count, "\(name): \(found)")
            for (pattern, size) in files {
                let parts = pattern.components(separatedBy: "*")
                #expect(
                    found.contains { file, bytes in
                        bytes == size && file.hasPrefix(parts[0]) && file.hasSuffix(parts.last ?? "")
                    }, "\(name): \(pattern) is not in \(found)")
            }
        }
        let transfers = try scene.program.run(["transfers", "--all", "--json"]).output.split(separator: "\n")
        if let count = own.transfers { #expect(transfers.count == count, "\(name): \(transfers)") }
        if let status = own.status {
            for transfer in transfers { #expect(transfer.contains("\"status\":\"\(status)\""), "\(name): \(transfer)") }
        }
    }
}
