import Foundation
import SinkKit

/// Counts the lines of a text. `print` writes to the log, not into the protocol.
@main struct LineCount: Sink {
    static let id = "line-count"
    static let version = "1.0.0"

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        guard let path = delivery.parts[0].path, let file = FileHandle(forReadingAtPath: path) else {
            throw SinkFailure(.transient, "the content cannot be read")
        }
        defer { try? file.close() }
        var lines: Int64 = 0
        while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty {
            lines += Int64(bytes.count { $0 == UInt8(ascii: "\n") })
            try report.progress()
        }
        return .delivered(metadata: ["lines": .integer(lines)])
    }
}
