import Foundation
import ShareModel
import SystemPackage
import Testing

/// A sink that writes its secret into every output must not leak it. A sink without its secret must wait.
@Suite struct SecretTests {
    private static let secret = "s3cret-of-somebody"

    private let folder: TestFolder
    private let program: Program

    init() throws {
        folder = try TestFolder()
        try folder.write(
            "sinks/leak/sink.json",
            """
            {"id": "leak", "version": "1", "protocol": 1, "command": ["leak"], "role": "primary", "secrets": ["token"],
             "accepts": [{"type": "text/plain"}], "limits": {"startup_s": 3600, "stall_s": 3600}}
            """)
        try folder.write("sinks/leak/leak", Self.sink, mode: 0o755)
        try folder.write("token", Self.secret + "\n", mode: 0o600)
        program = Program(container: folder["c"], sinks: folder["sinks"], configuration: folder["config"])
    }

    private static let sink = #"""
        #!/usr/bin/env python3
        import json, os, sys

        for line in sys.stdin:
            message = json.loads(line)
            if "hello" in message:
                print(json.dumps({"hello": {"protocol": 1, "id": "leak", "version": "1"}}), flush=True)
            elif "configure" in message:
                secret = message["configure"]["secrets"]["token"]
                print('{"ready":{}}', flush=True)
            elif "deliver" in message:
                delivery = message["deliver"]
                text = open(delivery["parts"][0]["path"]).read()
                if "die" in text:
                    sys.exit("refused: " + secret)
                if "fail" in text:
                    body = {"id": delivery["id"], "class": "permanent", "why": "refused: " + secret}
                    print(json.dumps({"fail": body}), flush=True)
                elif "metadata" in text:
                    body = {"id": delivery["id"], "status": "delivered", "metadata": {secret: 1}}
                    print(json.dumps({"done": body}), flush=True)
                elif "product" in text:
                    open(delivery["out"] + "/a" + secret, "w").close()
                    products = [{"path": "a" + secret, "role": "text", "type": "text/plain"}]
                    body = {"id": delivery["id"], "status": "delivered", "products": products}
                    print(json.dumps({"done": body}), flush=True)
                else:
                    found = {"length": len(secret), "environment": sorted(os.environ)}
                    body = {"id": delivery["id"], "status": "delivered", "metadata": found}
                    print(json.dumps({"done": body}), flush=True)
            elif "goodbye" in message:
                break
        """#

    private func delivery(_ text: String) throws -> DeliveryRecord {
        let end = try program.ingest(folder.write("in/\(text)", text))
        #expect(!end.output.contains(Self.secret) && !end.errors.contains(Self.secret))
        return try #require(try end.receipt.providers.first?.deliveries.first)
    }

    @Test func aSecretIsNowhereButInTheSink() throws {
        try setSecret()
        let good = try delivery("good")
        guard case .object(let metadata) = good.metadata else { throw Program.Failure("\(good)") }
        #expect(metadata["length"] == .integer(Int64(Self.secret.utf8.count)))
        #expect(metadata["environment"] == ["HOME", "LANG", "PATH", "TMPDIR"], "\(metadata)")
        #expect(try delivery("fail").why?.contains("refused: ***") == true)
        let dead = try delivery("die")
        #expect(dead.outcome == .quarantined && dead.why?.contains("refused: ***") == true, "\(dead)")
        for file in Disk.files(below: folder["c"]) {
            let bytes = try Disk.bytes(folder["c"].appending(file))
            #expect(Data(bytes).range(of: Data(Self.secret.utf8)) == nil, "\(file)")
        }
    }

    private func setSecret() throws {
        try folder.write(
            "config/sinks/leak.json", #"{"secrets": {"token": {"file": "\#(folder["token"].string)"}}}"#)
    }

    /// A replacement would falsify the metadata and names that the container keeps.
    @Test(arguments: ["metadata", "product"]) func anAnswerWithASecretFails(_ place: String) throws {
        try setSecret()
        let failed = try delivery(place)
        #expect(failed.outcome == .failed && failed.why?.contains("contains a secret") == true, "\(failed)")
        #expect(failed.metadata == nil && failed.products.isEmpty)
    }

    /// A secret of fewer characters would match ordinary words.
    @Test func aShortSecretIsRefused() throws {
        try setSecret()
        try folder.write("token", "1234567\n", mode: 0o600)
        let waiting = try delivery("good")
        #expect(waiting.outcome == .pending)
        #expect(waiting.why?.contains("has 7 characters, and a secret needs at least 8") == true, "\(waiting)")
        try folder.write("token", "12345678\n", mode: 0o600)
        let end = try program.run(["deliver", "--json"])
        #expect(try end.messages.compactMap(\.delivery).map(\.outcome) == [.delivered], "\(end.output)")
    }

    @Test func withoutItsSecretASinkIsNotStarted() throws {
        let waiting = try delivery("good")
        #expect(waiting.outcome == .pending)
        let why = try #require(waiting.why)
        #expect(
            why.contains("lacks its secret 'token'") && why.contains(folder["config/sinks/leak.json"].string), "\(why)")
        try setSecret()
        let end = try program.run(["deliver", "--json"])
        #expect(try end.messages.compactMap(\.delivery).map(\.outcome) == [.delivered], "\(end.output)")
    }
}
