import Formats
import Glibc
import ShareModel
import Sniffing

/// The function under test: one inspector, or all of identification.
///
/// The environment's `SLUICE_FUZZ` chooses it: an inspector's name, or `all`. Inputs that crash, hang or read beyond
/// the budget are findings. Each finding becomes a test.
enum FuzzTarget {
    case inspector(InspectorTrial)
    case all(MagicSniffer)

    // libFuzzer calls from one thread only.
    nonisolated(unsafe) static let current: FuzzTarget = {
        let name = getenv("SLUICE_FUZZ").map { String(cString: $0) } ?? ""
        if name == "all", let sniffer = try? MagicSniffer() { return .all(sniffer) }
        if let trial = InspectorTrial(name) { return .inspector(trial) }
        let words = Array("set SLUICE_FUZZ to one of: all \(InspectorTrial.names.joined(separator: " "))\n".utf8)
        write(STDERR_FILENO, words, words.count)
        _exit(64)
    }()

    func run(_ bytes: [UInt8]) {
        let content = ContentBytes(bytes)
        switch self {
        case .inspector(let trial): _ = try? trial.type(of: content)
        case .all(let sniffer):
            let claims = TypeClaims(declared: "public.text", name: "a.md")
            precondition((try? sniffer.identify(content, claims: claims)) != nil, "memory can always be read")
        }
        let budget = content.budget
        let most = budget.head + budget.tail + budget.blockBytes
        precondition(content.usage.bytes <= most && content.usage.reads <= budget.blocks + 3, "beyond the budget")
    }
}

/// libFuzzer's entry: https://llvm.org/docs/LibFuzzer.html#fuzz-target
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    FuzzTarget.current.run(Array(UnsafeBufferPointer(start: start, count: size)))
    return 0
}
