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
        let script = """
            timeout -s KILL 60 "$0" ingest --json --no-deliver --container "$1" "$2" 2> /dev/null | {
                read -r first
                id=$(printf '%s' "$first" | grep -o '"id":"[0-9a-f]*"' | head -n 1 | cut -d '"' -f 4)
                timeout -s KILL 60 "$0" \(command) --container "$1" > /dev/null 2>&1 || echo "it ended with $?"
                wc -l
            }
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let program = Program.folder.appending(path: "sluice").path
        process.arguments = ["-c", script, program, folder["container"].string, folder["in"].string]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // The first line was read before; the summary is last.
        #expect(text.split(separator: "\n") == ["1500"])
    }
}
