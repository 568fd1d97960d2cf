import Foundation
import SystemPackage
import Testing

/// A listener may run maintenance commands while the run still has receipts to write.
@Suite struct ListenerTests {
    @Test(arguments: ["gc --grace 0s", "forget \"$id\""])
    func aListenerMayCareForTheContainer(_ command: String) throws {
        let folder = try TestFolder()
        // The receipts of the first batch do not fit into a pipe, and a second batch follows.
        for number in 0..<1_500 { try folder.write("in/\(number).txt", "number \(number)") }
        let text = try run(
            """
            timeout -s KILL 60 "$0" ingest --json --no-deliver --container "$1" "$2" 2> /dev/null | {
                read -r first
                id=$(printf '%s' "$first" | grep -o '"id":"[0-9a-f]*"' | head -n 1 | cut -d '"' -f 4)
                timeout -s KILL 60 "$0" \(command) --container "$1" > /dev/null 2>&1 || echo "it ended with $?"
                wc -l
            }
            """, folder)
        // The first line was read before; the summary is last.
        #expect(text.split(separator: "\n") == ["1500"])
    }

    /// The listener's own run waits for the deliveries that the first run makes, because that run has the lease.
    @Test func aListenerOfDeliveriesMayTakeMoreIn() throws {
        let folder = try TestFolder()
        // The records do not fit into a pipe.
        for number in 0..<1_500 { try folder.write("in/\(number).txt", "number \(number)") }
        try folder.write("more/one.txt", "one more")
        let text = try run(
            """
            "$0" ingest --no-deliver --container "$1" "$2" > /dev/null 2>&1
            timeout -s KILL 120 "$0" deliver --json --container "$1" 2> /dev/null | {
                read -r first
                timeout -s KILL 120 "$0" ingest --container "$1" "$2/../more" > /dev/null 2>&1 || echo "it ended with $?"
                wc -l
            }
            """, folder)
        // The first line was read before. The listener's own delivery is there too, and the summary is last.
        #expect(text.split(separator: "\n") == ["1501"])
    }

    /// Runs a script with the program, the container and the folder `in` as its words, and returns its output.
    private func run(_ script: String, _ folder: TestFolder) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let program = Program.folder.appending(path: "sluice").path
        process.arguments = ["-c", script, program, folder["container"].string, folder["in"].string]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
