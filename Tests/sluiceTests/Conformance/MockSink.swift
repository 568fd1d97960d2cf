import Foundation
import SystemPackage

/// The mock sink, installed in a folder of sinks.
enum MockSink {
    /// Writes a manifest with the mock's arguments, and puts the built program beside it.
    ///
    /// - Returns: the folder of sinks.
    @discardableResult
    static func install(
        _ arguments: [String], id: String = "mock", in folder: TestFolder, stallSeconds: Int = 20,
        startupSeconds: Int = 600, into sinks: String = "sinks"
    ) throws -> FilePath {
        let secrets = arguments.first == "metadata-secret" ? #", "secrets": ["token"]"# : ""
        let command = String(decoding: try JSONEncoder().encode(["mock"] + arguments), as: UTF8.self)
        try folder.write(
            "\(sinks)/\(id)/sink.json",
            """
            {"id": "\(id)", "version": "1", "protocol": 1, "role": "primary", "command": \(command),
             "accepts": [{"type": "text/plain"}], "content": "path"\(secrets),
             "limits": {"startup_s": \(startupSeconds), "stall_s": \(stallSeconds)}}
            """)
        let program = folder["\(sinks)/\(id)/mock"].string
        if !FileManager.default.fileExists(atPath: program) {
            try FileManager.default.createSymbolicLink(
                atPath: program, withDestinationPath: try SinkRun.program("mock"))
        }
        return folder[sinks]
    }
}
