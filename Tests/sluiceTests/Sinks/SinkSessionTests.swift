import Foundation
import SinkKit
import Testing

/// The sessions of the bundled sinks and of the specification's Python sink.
@Suite(.timeLimit(.minutes(60))) struct SinkSessionTests {
    static let bundled = [
        "keep", "pdf-import", "image-import", "office-import", "text-note", "media-import", "link-capture",
    ]
    private static let greeting =
        #"{"hello":{"protocol":1,"host":"tests"}}"# + "\n" + #"{"configure":{"config":{}}}"# + "\n"

    @Test(arguments: bundled)
    func theGreetingMatchesTheManifest(sink: String) throws {
        let program = try SinkRun.program(sink)
        let manifest = URL(filePath: program).deletingLastPathComponent().appending(
            path: "sluice_\(sink).resources/sink.json")
        let claimed = try JSONDecoder().decode(SinkManifest.self, from: Data(contentsOf: manifest))
        #expect(claimed.id == sink && claimed.command == [sink] && claimed.protocol == SinkProtocol.version)

        let (messages, status) = try SinkRun.talk(to: [program], Array(Self.greeting.utf8))
        let inFlight = ["keep": 32, "link-capture": 4][sink] ?? 1
        let hello = SinkMessage.SinkHello(
            protocol: 1, id: sink, version: claimed.version, maxInFlight: inFlight,
            features: claimed.needs?.requests == nil ? nil : [.transfer])
        #expect(messages == [.hello(hello), .ready])
        #expect(status == 0, "the end of the input is a good end of the session")
    }

    @Test(arguments: bundled)
    func answersEveryDeliveryInOrder(sink: String) throws {
        let nothing = SinkRun.Input(content: Data(), type: "text/uri-list")
        let run = try SinkRun(sink, [nothing, nothing, nothing])
        #expect(run.messages.compactMap { if case .done(let done) = $0 { done.id } else { nil } } == ["0", "1", "2"])
        #expect(run.status == 0)
    }

    @Test func answersACheckAndIgnoresAStrayCancel() throws {
        let lines = Self.greeting + #"{"cancel":{"id":"9"}}"# + "\n" + #"{"check":{"id":"c","key":"k"}}"# + "\n"
        let (messages, status) = try SinkRun.talk(to: [SinkRun.program("keep")], Array(lines.utf8))
        #expect(messages.last == .checked(.init(id: "c", answer: .unknown)))
        #expect(status == 0)
    }

    @Test(arguments: ["noise\n", #"{"hello":{"protocol":2,"host":"later"}}"# + "\n"])
    func aMalformedLineOfTheHostEndsTheSink(line: String) throws {
        let (messages, status) = try SinkRun.talk(to: [SinkRun.program("keep")], Array(line.utf8))
        #expect(messages.isEmpty)
        #expect(status == 1)
    }

    @Test(arguments: ["pdf-import", "image-import", "link-capture"])
    func contentWithoutAFileFailsOnlyItsDelivery(sink: String) throws {
        let part = Delivery.Part(
            role: .content, path: "/nowhere/x", name: "x", type: "text/uri-list", size: 1, sha256: "0")
        var missing = Delivery(id: "1", key: "k", attempt: 1, parts: [part], out: "/nowhere")
        let first = try SinkProtocol.line(HostMessage.deliver(missing))
        missing.id = "2"
        missing.parts[0].path = nil
        let lines = try Array(Self.greeting.utf8) + first + SinkProtocol.line(HostMessage.deliver(missing))
        let (messages, status) = try SinkRun.talk(to: [SinkRun.program(sink)], lines)
        let failures = messages.compactMap { if case .fail(let failure) = $0 { failure.class } else { nil } }
        #expect(failures == [.transient, .permanent])
        #expect(status == 0)
    }
}
