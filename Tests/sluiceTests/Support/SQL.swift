import Foundation
import SystemPackage
import Testing

/// Access to a container's catalog that bypasses the program.
enum SQL {
    /// Runs statements; returns the rows of the last one as text, a line each.
    @discardableResult
    static func run(_ container: FilePath, _ statements: String, in name: String = "catalog.sqlite") throws -> [String]
    {
        try run(
            container.appending(name), statements,
            """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            for statement in sys.argv[2].split(";"): rows = database.execute(statement).fetchall()
            for row in rows: print("|".join(str(value) for value in row))
            """)
    }

    /// Runs statements with semicolons in them, such as those that make triggers.
    static func script(_ container: FilePath, _ statements: String) throws {
        _ = try run(
            container.appending("catalog.sqlite"), statements,
            "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).executescript(sys.argv[2])")
    }

    private static func run(_ database: FilePath, _ statements: String, _ script: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, database.string, statements]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(statements)")
        return text.split(separator: "\n").map(String.init)
    }
}
