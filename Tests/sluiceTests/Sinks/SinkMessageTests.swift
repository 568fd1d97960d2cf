import Foundation
import SinkKit
import Testing

@Suite struct SinkMessageTests {
    private static let delivery = Delivery(
        id: "1", key: "k", attempt: 2, title: "a\nb", text: "é",
        parts: [
            .init(role: .content, path: "/in/1", name: "x", type: "image/jpeg", size: 1 << 60, sha256: "00"),
            .init(role: .movie, path: nil, name: "y", type: "video/mp4", size: 0, sha256: "11"),
        ], out: "/out")

    @Test(arguments: [
        HostMessage.hello(.init(protocol: 1, host: "h")), .configure(.init(config: ["a": [1, true, "x"]])),
        .deliver(delivery), .check(.init(id: "1", key: "k")), .cancel(.init(id: "1")), .goodbye,
    ])
    func hostMessagesSurviveARoundTrip(message: HostMessage) throws {
        let line = try SinkProtocol.line(message)
        #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1 && line.last == UInt8(ascii: "\n"))
        #expect(try SinkProtocol.message(HostMessage.self, from: line) == message)
    }

    @Test(arguments: [
        SinkMessage.hello(.init(protocol: 1, id: "s", version: "1", maxInFlight: 4)), .ready,
        .progress(.init(id: "1", fraction: 0.5)), .checked(.init(id: "1", answer: .unknown)),
        .done(
            .init(
                id: "1", status: .delivered, metadata: ["n": 9_007_199_254_740_993],
                products: [.init(path: "a/b", role: "text", type: "text/plain")])),
        .fail(.init(id: "1", class: .transient, retryAfterMilliseconds: 5, why: "w")),
    ])
    func sinkMessagesSurviveARoundTrip(message: SinkMessage) throws {
        #expect(try SinkProtocol.message(SinkMessage.self, from: SinkProtocol.line(message)) == message)
    }

    @Test(arguments: [
        (#"{"ready":{}}"#, SinkMessage.ready),
        (#"{"later":7,"ready":{"more":[]}}"#, .ready),
        (#"{"progress":{"id":"1","color":"red"}}"#, .progress(.init(id: "1"))),
        (
            #"{"hello":{"protocol":1,"id":"s","version":"2","max_in_flight":3}}"#,
            .hello(.init(protocol: 1, id: "s", version: "2", maxInFlight: 3))
        ),
        (
            #"{"fail":{"id":"1","class":"auth","retry_after_ms":60000,"why":"w"}}"#,
            .fail(.init(id: "1", class: .auth, retryAfterMilliseconds: 60000, why: "w"))
        ),
    ])
    func unknownKeysAreIgnored(line: String, message: SinkMessage) throws {
        #expect(try SinkProtocol.message(SinkMessage.self, from: line.utf8) == message)
    }

    @Test(arguments: [
        "", "noise", "[]", "{}", #"{"unheard":{}}"#, #"{"ready":{},"done":{"id":"1","status":"delivered"}}"#,
        #"{"done":{"status":"delivered"}}"#, #"{"done":{"id":"1","status":"great"}}"#,
    ])
    func aMalformedLineIsAnError(line: String) {
        #expect(throws: DecodingError.self) { try SinkProtocol.message(SinkMessage.self, from: line.utf8) }
    }

    @Test func aMessageTooLargeForALineFailsAtItsWriter() {
        let why = String(repeating: "x", count: SinkProtocol.maximumLineBytes)
        #expect(throws: LineTooLong.self) {
            try SinkProtocol.line(SinkMessage.fail(.init(id: "1", class: .permanent, why: why)))
        }
    }
}
