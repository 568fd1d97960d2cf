import Files
import Formats
import Glibc
import GroupChannel
import ShareModel
import Sniffing

/// The function under test: one inspector, all of identification, the parser of forms, or the decoder of a channel.
///
/// The environment's `SLUICE_FUZZ` chooses it: an inspector's name, `all`, `Multipart`, or `Channel`. Inputs that crash, hang or
/// read beyond the budget are findings. Each finding becomes a test.
enum FuzzTarget {
    case form
    case channel
    case inspector(InspectorTrial)
    case all(MagicSniffer)

    // libFuzzer calls from one thread only.
    nonisolated(unsafe) static let current: FuzzTarget = {
        let name = getenv("SLUICE_FUZZ").map { String(cString: $0) } ?? ""
        if name == "Multipart" { return .form }
        if name == "Channel" { return .channel }
        if name == "all", let sniffer = try? MagicSniffer() { return .all(sniffer) }
        if let trial = InspectorTrial(name) { return .inspector(trial) }
        let names = InspectorTrial.names.joined(separator: " ")
        let words = Array("set SLUICE_FUZZ to one of: all Channel Multipart \(names)\n".utf8)
        write(STDERR_FILENO, words, words.count)
        _exit(64)
    }()

    func run(_ bytes: [UInt8]) {
        switch self {
        case .form: parse(bytes)
        case .channel: decode(bytes)
        case .inspector(let trial): within(ContentBytes(bytes)) { _ = try? trial.type(of: $0) }
        case .all(let sniffer):
            let claims = TypeClaims(declared: "public.text", name: "a.md")
            within(ContentBytes(bytes)) {
                precondition((try? sniffer.identify($0, claims: claims)) != nil, "memory can always be read")
            }
        }
    }

    /// Identifies content, and counts what was read.
    private func within(_ content: ContentBytes, _ identify: (ContentBytes) -> Void) {
        identify(content)
        let budget = content.budget
        let most = budget.head + budget.tail + budget.blockBytes
        precondition(content.usage.bytes <= most && content.usage.reads <= budget.blocks + 3, "beyond the budget")
    }

    /// Decodes the lines of a channel, each with the limits of a connection.
    private func decode(_ bytes: [UInt8]) {
        var lines = LineSplitter(limit: 4_096)
        lines.append(bytes + [UInt8(ascii: "\n")])
        var limits = ChannelLimits()
        limits.depth = 8
        let types = ChannelTypes(Note.self, Question.self)
        while let line = lines.next() {
            switch try? IncomingLine.read(line, types, limits, answer: { $0 == 1 ? [String].self : nil }) {
            case .message(.value(let value, _)): precondition(value is Note, "a message of another type")
            case .request(_, .value(let value, _)): precondition(value is Question, "a request of another type")
            case .response(let id, let value?, _):
                precondition(id == 1 && value is [String], "an answer without a request")
            default: break
            }
        }
    }

    private struct Note: ChannelMessage {
        static let type = "note"
        var words: [[String: Double]]
    }

    private struct Question: ChannelRequest {
        static let type = "question"
        typealias Answer = [String]
        var text: String?
    }

    /// Parses a form that comes in pieces. The first byte is the size of a piece.
    private func parse(_ bytes: [UInt8]) {
        let size = Int(bytes.first ?? 0) + 1
        var rest = bytes.dropFirst()
        var parser = MultipartParser(
            boundary: MultipartParser.boundary(in: Array(rest)) ?? Array("b".utf8), headerLimit: 1_000)
        var content = 0
        // Each event takes bytes or adds some.
        for _ in 0...bytes.count * 2 + 4 {
            guard let event = try? parser.next(), event != .end else { return }
            switch event {
            case .needsBytes:
                parser.append(rest.prefix(size))
                rest = rest.dropFirst(size)
            case .content(let piece): content += piece.count
            case .part, .end: break
            }
            precondition(content <= bytes.count + 2, "more content than bytes")
        }
        preconditionFailure("no end")
    }
}

/// libFuzzer's entry: https://llvm.org/docs/LibFuzzer.html#fuzz-target
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    FuzzTarget.current.run(Array(UnsafeBufferPointer(start: start, count: size)))
    return 0
}
