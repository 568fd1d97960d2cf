import Foundation
import SystemPackage
import Testing

/// Whoever hears of packages may look after the container meanwhile, however much there is still to be told.
@Suite struct ListenerTests {
    @Test(arguments: ["gc --grace 0s", "forget \"$id\""])
    func aListenerMayCareForTheContainer(_ command: String) throws {
        let folder = try TestFolder()
        // The receipts of the first batch are more than a pipe holds, and there is a second one.
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
        // The first was read before, and the sum comes last.
        #expect(text.split(separator: "\n") == ["1500"])
    }
}
