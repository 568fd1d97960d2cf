import Foundation
import ShareModel
import SinkKit
import Testing

@testable import Ingestion
@testable import SinkHost

/// The limits of a sink, with the sandbox and without.
@Suite struct SinkLimitTests {
    private func attempt(_ code: String, _ level: Containment, _ limits: SinkManifest.Limits?) async throws
        -> ConfinedSink.End
    {
        try await ConfinedSink(ConfinedSink.attempt(code), level, limits: limits).run()
    }

    @Test(arguments: try await ConfinedSink.levels()) func memory(_ level: Containment) async throws {
        let code = "block = bytearray(600 << 20)"
        #expect(try await attempt(code, level, .init(memoryMiB: 512)).output == "refused memory\n")
        #expect(try await attempt(code, level, nil).output == "allowed\n")
        let tooMuch = "block = bytearray(3 << 30)"
        #expect(try await attempt(tooMuch, level, nil).output == "refused memory\n", "the default")
    }

    @Test(arguments: try await ConfinedSink.levels()) func theSizeOfAFile(_ level: Containment) async throws {
        // Python ignores SIGXFSZ, so it sees the error of the write.
        let code = "open(os.environ['TMPDIR'] + '/file', 'wb', 0).write(bytes(2 << 20)) == 2 << 20 or os.abort()"
        let end = try await attempt(code, level, .init(fileMiB: 1))
        #expect(end.isSignal && end.status == SIGABRT, "only a part was written")
        let another = "file = open(os.environ['TMPDIR'] + '/file', 'wb', 0)\nfile.truncate((1 << 20) + 1)"
        #expect(try await attempt(another, level, .init(fileMiB: 1)).output == "refused EFBIG\n")
        #expect(try await attempt(another, level, nil).output == "allowed\n")
    }

    @Test(arguments: try await ConfinedSink.levels()) func processorTime(_ level: Containment) async throws {
        let end = try await ConfinedSink(
            "#!/bin/sh\nwhile :; do :; done", level, limits: .init(processorSeconds: 1)
        ).run()
        #expect(end.isSignal)
        #expect(end.status == SIGXCPU)
    }

    @Test(arguments: try await ConfinedSink.levels()) func openFiles(_ level: Containment) async throws {
        let code = "files = [os.open('/', os.O_RDONLY) for _ in range(2000)]"
        #expect(try await attempt(code, level, nil).output == "refused EMFILE\n")
    }

    @Test(arguments: try await ConfinedSink.levels()) func noCoreIsLeft(_ level: Containment) async throws {
        let code = "print(resource.getrlimit(resource.RLIMIT_CORE))"
        #expect(try await attempt(code, level, nil).output == "(0, 0)\nallowed\n")
    }

    @Test func withoutASandboxToItGetsNoNewPrivilegesNorTheHostsEnvironment() async throws {
        let sink = try await ConfinedSink("#!/bin/sh\ngrep NoNewPrivs /proc/self/status; env; pwd", .limits)
        let temporary = sink.folder["work/tmp"].string
        let lines = try sink.run().output.split(separator: "\n").map(String.init)
        #expect(lines.contains("NoNewPrivs:\t1"))
        #expect(lines.last == temporary)
        let expected = [
            "HOME=\(temporary)", "LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=\(temporary)",
        ]
        // The shell adds PWD by itself.
        #expect(lines.dropFirst().dropLast().filter { !$0.hasPrefix("PWD=") }.sorted() == expected)
    }

    @Test func whatIsAskedForIsGivenUpToAMost() {
        #expect(SinkBounds.make(nil) == .standard)
        #expect(SinkBounds.standard.memoryMiB == 2048)
        let asked = SinkBounds.make(.init(memoryMiB: 1, processorSeconds: -5, fileMiB: Int.max, processes: 100_000))
        #expect(asked.memoryMiB == 1)
        #expect(asked.processorSeconds == 1)
        #expect(asked.fileMiB == SinkBounds.most.fileMiB)
        #expect(asked.processes == SinkBounds.most.processes)
    }
}
