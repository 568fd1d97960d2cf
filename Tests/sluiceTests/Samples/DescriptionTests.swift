import Foundation
import Testing

/// Every description among the samples and in the specification against the schema, by a validator that is not ours.
@Suite struct DescriptionTests {
    /// Python's jsonschema is one of the dependencies of `Scripts/install-deps`; without it this fails, and says so.
    @Test func samplesFollowTheSchema() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [PackageDump.root.appending(path: "Tests/validate-samples.py").path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words)")
        #expect(words.contains(" 0 wrong"))
    }
}
