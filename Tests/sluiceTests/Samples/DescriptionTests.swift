import Foundation
import Testing

/// An independent validator checks every description in the samples and in the specification against the schema.
@Suite struct DescriptionTests {
    /// The test needs Python's jsonschema, which `Scripts/install-deps` installs. Without it the test fails and says
    /// so.
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
