import Foundation
import ShareModel
import SystemPackage
import Testing

/// A token is in the keychain, in memory, and nowhere else.
@Suite(.timeLimit(.minutes(5))) struct SecrecyTests {
    /// Everything on the disk, in `/proc` and in the outputs is searched while an agent and a sink have the token, and after an
    /// agent has died with a core dump.
    @Test func noTokenIsAnywhereElse() throws {
        let scene = try AccountScene()
        try scene.addAccount()
        var texts = [try scene.logIn(as: "ada").output]
        try scene.share("https://example.org/1")
        // `deliver --wait` keeps the sink at rest no longer than its deliveries, so an agent is asked.
        let end = try Python.run(
            """
            import json, os, resource, signal, subprocess, sys
            program, folder = sys.argv[1], sys.argv[2]
            def allow(): resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            log = open(folder + "/agent.log", "wb")
            agent = subprocess.Popen([program, "agent", "--json", "--container", folder + "/container"], cwd=folder,
                                     stdout=subprocess.PIPE, stderr=log, preexec_fn=allow)
            lines = []
            for line in agent.stdout:
                lines.append(line.decode())
                if b'"delivery"' in line and b'post-link' in line and b'delivered' in line: break
            state = {}
            for process in filter(str.isdigit, os.listdir("/proc")):
                for name in ("cmdline", "environ"):
                    try: state[process + name] = open(f"/proc/{process}/{name}", "rb").read().decode("latin-1")
                    except OSError: pass
            os.kill(agent.pid, signal.SIGQUIT)
            _, status = os.waitpid(agent.pid, 0)
            other = subprocess.Popen(["sleep", "60"], cwd=folder, preexec_fn=allow)
            other.send_signal(signal.SIGQUIT)
            _, control = os.waitpid(other.pid, 0)
            print(json.dumps({"lines": lines, "state": list(state.values()), "dumped": os.WCOREDUMP(status),
                              "dumps": os.WCOREDUMP(control)}))
            """, [Program.folder.appending(path: "sluice").path, scene.folder.path.string], scene.program)
        struct Found: Decodable {
            var lines, state: [String]
            var dumped, dumps: Bool
        }
        let found = try JSONDecoder().decode(Found.self, from: Data(end.utf8))
        #expect(found.lines.contains { $0.contains("delivered") }, "the sink had the token")
        #expect(!found.dumped, "an agent with a token leaves no core dump; other programs: \(found.dumps)")
        texts += found.lines + found.state
        for command in [
            ["list", "--json"], ["status", "--json"], ["account", "list", "--json"], ["changes", "--json"],
        ] {
            let end = try scene.program.run(command)
            texts += [end.output, end.errors]
        }
        let secrets = try scene.service.secrets
        #expect(secrets.count >= 2)
        let keychain = scene.folder["data/sluice/keychain"].string
        var inKeychain = 0
        for file in Disk.files(below: scene.folder.path) {
            let path = scene.folder.path.appending(file)
            guard let kind = try FileManager.default.attributesOfItem(atPath: path.string)[.type] as? FileAttributeType,
                kind == .typeRegular
            else { continue }
            let bytes = Data(try Disk.bytes(path))
            for secret in secrets where bytes.range(of: Data(secret.utf8)) != nil {
                guard !path.string.hasPrefix(keychain) else {
                    inKeychain += 1
                    continue
                }
                Issue.record("a token is in \(file)")
            }
        }
        #expect(inKeychain > 0, "the search finds what is there")
        for text in texts {
            for secret in secrets { #expect(!text.contains(secret), "a token is in \(text.prefix(200))") }
        }
        let mode = try FileManager.default.contentsOfDirectory(atPath: keychain).map { name in
            try FileManager.default.attributesOfItem(atPath: "\(keychain)/\(name)")[.posixPermissions] as? Int
        }
        #expect(mode == [0o600])
    }
}

/// Scripts of tests in Python.
enum Python {
    /// The output of a script, with the environment of a program.
    static func run(_ script: String, _ arguments: [String], _ program: Program) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script] + arguments
        let places = [
            "SLUICE_SINKS": program.sinks?.string ?? "", "SLUICE_CONFIG": program.configuration?.string ?? "",
            "SLUICE_AGENT": "off",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(places) { $1 }.merging(program.variables) {
            $1
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Program.Failure("the script failed") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
