import Foundation
import SystemPackage
import Testing

/// The script of `make release` and `make ingest`, with an installation and a compiler that only write down how they were called.
@Suite(.timeLimit(.minutes(60))) struct ReleaseScriptTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        let script = PackageDump.root.appending(path: "Scripts/release")
        try folder.write("Scripts/release", String(contentsOf: script, encoding: .utf8), mode: 0o755)
        try folder.write("Scripts/swift", "#!/bin/sh\necho \"swift $*\" >> log\n", mode: 0o755)
    }

    private func installation(missing: String, _ rest: String = "") throws {
        try folder.write(
            "Scripts/install-deps",
            "#!/bin/sh\nif [ \"$1\" = --missing ]; then printf '\(missing)'; exit; fi\necho install >> log\n\(rest)\n",
            mode: 0o755)
    }

    private func release(_ arguments: String...) throws -> (status: Int32, calls: [Substring]) {
        let process = Process()
        process.arguments = arguments
        process.executableURL = URL(filePath: folder["Scripts/release"].string)
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        let log = try String(contentsOf: URL(filePath: folder["log"].string), encoding: .utf8)
        return (process.terminationStatus, log.split(separator: "\n"))
    }

    @Test func onlyTheBuildRunsIfNothingIsMissing() throws {
        try installation(missing: "")
        let (status, calls) = try release()
        #expect(status == 0 && calls.count == 1)
        #expect(calls.first?.hasPrefix("swift build -c release") == true)
        #expect(calls.first?.contains("-Onone") == false && calls.first?.contains("--scratch-path") == false)
    }

    /// It must not replace the optimized program.
    @Test func aQuickBuildHasItsOwnFolder() throws {
        try installation(missing: "")
        let (status, calls) = try release("quick")
        #expect(status == 0 && calls.count == 1)
        #expect(calls.first?.contains("--scratch-path .build/quick -Xswiftc -Onone") == true)
        #expect(try release("quik").status == 64)
    }

    @Test func modulesAreCompiledDuringTheInstallation() throws {
        // The installation ends only after a compilation has begun.
        try installation(missing: "libmagic-dev\\n", "until grep -q 'target' log; do :; done")
        let (status, calls) = try release()
        #expect(status == 0 && calls.contains("install"))
        let last = try #require(calls.last)
        #expect(!last.contains("--target"), "the last build is the whole one")
        // SwiftPM would build by a plan of the time before the installation.
        #expect(last.contains("--disable-build-manifest-caching"))
    }

    @Test func aFailedInstallationEndsTheBuild() throws {
        try installation(missing: "libmagic-dev\\n", "exit 3")
        let (status, calls) = try release()
        #expect(status == 3 && calls.contains("install"))
        #expect(!calls.contains { $0.hasPrefix("swift") && !$0.contains("--target") })
    }
}
