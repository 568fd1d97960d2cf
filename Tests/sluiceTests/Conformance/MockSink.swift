import Foundation
import SystemPackage

/// The mock sink, installed in a folder of sinks.
enum MockSink {
    /// Writes a manifest with the mock's arguments, and puts the built program beside it.
    ///
    /// - Parameter secrets: the names of the secrets that its manifest asks for.
    /// - Returns: the folder of sinks.
    @discardableResult
    static func install(
        _ arguments: [String], id: String = "mock", version: String = "1", in folder: TestFolder,
        stallSeconds: Int = 20,
        startupSeconds: Int = 600, into sinks: String = "sinks", secrets: [String] = [],
        makesRequests: Bool = false, processorSeconds: Int = 600
    ) throws -> FilePath {
        func json(_ words: [String]) throws -> String {
            String(decoding: try JSONEncoder().encode(words), as: UTF8.self)
        }
        try folder.write(
            "\(sinks)/\(id)/sink.json",
            """
            {"id": "\(id)", "version": "\(version)", "protocol": 1, "role": "primary", "command": \(json(["mock"] + arguments)),
             "accepts": [{"type": "text/plain"}], "content": "path", "needs": {"requests": \(makesRequests ? "\"optional\"" : "false")}, "secrets": \(json(secrets)),
             "limits": {"startup_s": \(startupSeconds), "stall_s": \(stallSeconds),
                        "processor_s": \(processorSeconds)}}
            """)
        let program = folder["\(sinks)/\(id)/mock"].string
        if !FileManager.default.fileExists(atPath: program) {
            try FileManager.default.createSymbolicLink(
                atPath: program, withDestinationPath: try SinkRun.program("mock"))
        }
        return folder[sinks]
    }
}
