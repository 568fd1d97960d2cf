import SystemPackage

/// The mock sink as `bad`: it misbehaves in one way, and takes text only; everything else goes to the bundled sinks.
enum BadSink {
    /// Installs it in a folder of sinks, with the way that it misbehaves.
    static func install(_ arguments: [String], in folder: TestFolder, stallSeconds: Int = 20) throws -> FilePath {
        try MockSink.install(behavior(arguments) + ["--id", "bad"], id: "bad", in: folder, stallSeconds: stallSeconds)
    }

    /// The mock's words for what the tests ask for.
    private static func behavior(_ arguments: [String]) -> [String] {
        let values = Array(arguments.dropFirst())
        switch arguments.first ?? "" {
        case "die once": return ["die", "9", "--on", values[0], "--attempt", "1"]
        case "die on": return ["die", "9", "--on", values[0]]
        case "garbage first": return ["garbage-before-hello"]
        case "another name": return ["wrong-id", "worse"]
        case "exit at once": return ["exit-at-start"]
        case "answer another": return ["acknowledge-another"]
        case "answer nonsense": return ["nonsense"]
        case "never answer": return ["hang"]
        case "flood": return ["flood-output"]
        case "link product": return ["product-link"]
        case "upward product": return ["product-upward"]
        case "absolute product": return ["product-absolute"]
        case "missing product": return ["product-missing"]
        case "pipe product": return ["product-fifo"]
        case "folder product": return ["product-folder"]
        case "huge product": return ["product-huge"]
        case "growing metadata": return ["metadata-growing"]
        case "exit", "fail": return arguments
        case "hello and ready at once": return ["hello-and-ready-at-once"]
        default: return ["good"]
        }
    }
}
