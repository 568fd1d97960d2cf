import Foundation
import SystemPackage
import Testing

@testable import Files
@testable import GroupChannel

/// Lines: many in one reading, parts of one, too long ones, and lines that are none.
@Suite(.timeLimit(.minutes(10))) struct ChannelFramingTests {
    private static let ping = #"{"request":{"id":1,"type":"ping","value":{"number":1}}}"# + "\n"

    /// L2: two messages in one reading stalled the connection for ever.
    @Test func manyLinesInOneReading() async throws {
        let test = try TestServer()
        let peer = try test.raw()
        let pings = (1...100).map { #"{"request":{"id":\#($0),"type":"ping","value":{"number":\#($0)}}}"# + "\n" }
        peer.send(RawPeer.hello + pings.joined())
        async let end = test.next().serve()
        let lines = try await peer.lines(to: #""id":100"#)
        #expect(lines.first == #"{"hello":{"accepts":["fill","news","ping","unanswered"],"versions":[1]}}"#)
        #expect(lines.dropFirst() == (1...100).map { #"{"response":{"id":\#($0),"value":\#($0 + 1)}}"# }[...])
        peer.send(#"{"goodbye":{}}"# + "\n")
        #expect(try await end == .goodbye(nil))
    }

    @Test func aLineInManyParts() async throws {
        let test = try TestServer()
        let peer = try test.raw()
        for byte in (RawPeer.hello + Self.ping).utf8 { peer.send([byte]) }
        async let end = test.next().serve()
        #expect(try await peer.lines(to: "response").last == #"{"response":{"id":1,"value":2}}"#)
        peer.send(#"{"goodbye":{"why":"done"}}"# + "\n")
        #expect(try await end == .goodbye("done"))
    }

    /// L3: a frame had no largest size.
    @Test func aLineThatIsTooLongIsRefusedAndSkipped() async throws {
        var limits = ChannelLimits.unhurried
        limits.lineBytes = 10_000
        let test = try TestServer(limits)
        let peer = try test.raw()
        let long = String(repeating: "x", count: 1 << 20)
        let line = #"{"request":{"id":1,"type":"unanswered","value":{"text":"\#(long)"}}}"# + "\n"
        peer.send(RawPeer.hello + line + Self.ping)
        async let end = test.next().serve()
        let lines = try await peer.lines(to: "response")
        #expect(lines.count == 3)
        let refused = #"{"refused":{"code":"too-large","id":1,"type":"unanswered","#
        #expect(lines[1] == refused + #""why":"the line has more than 10000 bytes"}}"#)
        peer.send("\n")
        guard case .misbehaved = try await end else {
            Issue.record("an empty line is no line of the protocol")
            return
        }
    }

    @Test func aLongLineWithoutAHeadEndsTheConnection() async throws {
        var limits = ChannelLimits.unhurried
        limits.lineBytes = 10_000
        let test = try TestServer(limits)
        let peer = try test.raw()
        peer.send(RawPeer.hello + String(repeating: "x", count: 20_000) + "\n")
        #expect(try await test.next().end() == .misbehaved("it sent a line that is too long"))
    }

    /// The bytes of an endless line are dropped as they come.
    @Test func anEndlessLineIsDropped() async throws {
        let test = try TestServer()
        let peer = try test.raw()
        peer.send(RawPeer.hello + #"{"message":{"type":"news","value":{"word":""#)
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        for _ in 0..<64 { peer.send(chunk) }
        peer.send(#""}}}"# + "\n" + Self.ping)
        async let end = test.next().serve()
        let lines = try await peer.lines(to: "response")
        #expect(lines.count == 3 && lines[1].contains(#""code":"too-large""#) && lines[1].contains(#""type":"news""#))
        peer.close()
        _ = try await end
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "hello", #"{"hello":{}}"#, #"{"ping":{}}"#, #"{"request":{}}"#,
        #"{"request":{"id":"x"}}"#,
        #"{"message":{"type":1}}"#, #"{"message":{},"request":{}}"#, #"{"response":{"value":1}}"#, "\u{FEFF}{}",
        "{\"goodbye\":1}",
        #"{"hello":{"versions":[1],"accepts":[]}}"#,
    ])
    func aLineThatIsNoneEndsTheConnection(_ line: String) async throws {
        let test = try TestServer()
        let peer = try test.raw()
        peer.send(RawPeer.hello + line + "\n")
        guard case .misbehaved = try await test.next().end() else {
            Issue.record("it was taken")
            return
        }
        _ = try await peer.lines()
    }

    /// Unknown keys are for newer versions.
    @Test func unknownKeysAreIgnored() async throws {
        let test = try TestServer()
        let peer = try test.raw()
        peer.send(
            #"{"hello":{"versions":[9,1],"accepts":[],"features":["later"],"mood":"good"}}"# + "\n"
                + #"{"request":{"id":1,"type":"ping","value":{"number":1,"colour":"red"},"priority":3}}"# + "\n")
        async let end = test.next().serve()
        #expect(try await peer.lines(to: "response").last == #"{"response":{"id":1,"value":2}}"#)
        peer.close()
        _ = try await end
    }

    @Test func sidesWithoutACommonVersionPart() async throws {
        let test = try TestServer()
        let peer = try test.raw()
        peer.send(#"{"hello":{"versions":[2,3],"accepts":[]}}"# + "\n")
        #expect(
            try await peer.lines().last == #"{"goodbye":{"why":"no common version: this side speaks [1]"}}"#)
    }

    @Test func depthsAreCounted() {
        let cases: [(String, Int, String?)] = [
            ("[]", 1, nil), ("[[]]", 1, "[[]]"), ("[[1]]", 1, "[[]]"), ("[[1]]", 2, nil),
            ("[[1,[2],{\"a\":[]}]]", 2, "[[1,[],{}]]"),
            (#"["[[[["]"#, 1, nil), (#"["\"[[["]"#, 1, nil), (#"["\\",[1]]"#, 1, #"["\\",[]]"#), ("[1],[2]]]", 1, nil),
        ]
        for (line, limit, expected) in cases {
            let pruned = LineDepth.pruned(Array(line.utf8), limit: limit).map { String(decoding: $0, as: UTF8.self) }
            #expect(pruned == expected, "\(line)")
        }
    }
}
