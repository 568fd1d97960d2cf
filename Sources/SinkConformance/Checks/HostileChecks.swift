internal import Files
internal import ShareModel
internal import SinkHost

extension ConformanceCheck {
    /// Checks with content that claims a type of the sink's and is something else.
    static let hostile = [
        hostile("hostile/empty", "an empty file") { _ in [] },
        hostile("hostile/one-byte", "a file of one byte") { _ in [0x25] },
        hostile("hostile/random", "random bytes") { _ in noise(64 << 10) },
        hostile("hostile/truncated", "the first half of a good file") { Array($0.prefix($0.count / 2)) },
        hostile("hostile/noise-behind", "a good head with random bytes behind it") { $0.prefix(64) + noise(8 << 10) },
        ConformanceCheck(
            name: "hostile/name", rule: "every delivery gets an answer, with any name of its content",
            remedy: "pass paths to other programs as arguments, never as part of a shell command"
        ) { context in
            var input = context.input
            guard !input.parts.isEmpty else { throw CheckSkipped("it takes no content") }
            // The name looks like an option, has what a shell expands, ends lines, and reverses the direction of text.
            // With 255 bytes, it is as long as a file name can be (NAME_MAX).
            let odd = "-\u{1F30A} $(id) 'a' \"b\"\n;*[n=1]\r\u{202E}"
            input.parts[0].name = (odd + String(repeating: "é", count: 255)).cut(toBytes: 255)
            try await context.deliverAlone(input)
        },
    ]

    private static func hostile(
        _ name: String, _ label: String, _ bytes: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> ConformanceCheck {
        ConformanceCheck(
            name: name, rule: "every delivery gets an answer, even for hostile content",
            remedy: "check everything that you read; answer delivered, and state in the metadata what could not be read"
        ) { context in
            for input in context.hostileBases {
                let input = input.with(label, bytes: bytes(input.parts.first?.bytes ?? []))
                do {
                    try await context.deliverAlone(input)
                } catch let failure as CheckFailure {
                    throw CheckFailure(
                        "given \(input.label): \(failure.why)", remedy: failure.remedy, of: failure.cause)
                }
            }
        }
    }

    /// Pseudorandom bytes, the same in every run, so that a failure can be repeated.
    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }
}
