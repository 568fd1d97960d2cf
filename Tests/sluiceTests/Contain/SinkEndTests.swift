import Foundation
import ShareModel
import SinkKit
import SystemPackage
import Testing

@testable import Ingestion
@testable import SinkHost

/// The end of a sink and of every process that it started, with the sandbox and without.
@Suite struct SinkEndTests {
    /// Leaves a process without a parent, in a session of its own. It holds standard output, and would print if it
    /// survived.
    private static let leaveGrandchild = """
        import os, signal, sys, time
        def leave():
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                    signal.signal(signal.SIGHUP, signal.SIG_IGN)
                    os.write(1, b"born\\n")
                    time.sleep(20)
                    os.write(1, b"survived\\n")
                os._exit(0)
            os.wait()

        """

    private static func python(_ code: String) -> String { "#!/usr/bin/env python3\n" + leaveGrandchild + code }

    @Test(arguments: try await ConfinedSink.levels()) func itsStatusIsTold(_ level: Containment) async throws {
        for status: Int32 in [0, 3, 139] {
            let end = try await ConfinedSink("#!/bin/sh\nexit \(status)", level).run()
            #expect(end.status == status, "\(end.errors)")
            #expect(!end.isSignal)
        }
    }

    @Test(arguments: try await ConfinedSink.levels(), [SIGSEGV, SIGABRT, SIGKILL, SIGTERM])
    func aDeathBySignalIsSeenAsThat(_ level: Containment, _ signal: Int32) async throws {
        let end = try await ConfinedSink("#!/bin/sh\nkill -\(signal) $$", level).run()
        #expect(end.isSignal)
        #expect(end.status == signal)
    }

    @Test(arguments: try await ConfinedSink.levels()) func aProgramThatCannotBeStartedSaysWhy(_ level: Containment)
        async throws
    {
        let end = try await ConfinedSink("#!/no/such/interpreter\n", level).run()
        #expect(end.status == 126)
        #expect(end.errors.contains("cannot start"), "\(end.errors)")
        #expect(end.errors.contains("interpreter"), "\(end.errors)")
    }

    @Test(arguments: try await ConfinedSink.levels()) func theStreamsAreItsOwn(_ level: Containment) async throws {
        let end = try await ConfinedSink("#!/bin/sh\necho to output\necho to errors >&2\nls /proc/self/fd", level).run()
        // Descriptor 3 is the folder that `ls` reads.
        #expect(end.output == "to output\n0\n1\n2\n3\n")
        #expect(end.errors == "to errors\n")
    }

    @Test(arguments: try await ConfinedSink.levels()) func theAskToEndReachesTheSink(_ level: Containment) async throws
    {
        let sink = try await ConfinedSink(
            """
            #!/bin/sh
            trap 'echo farewell; exit 5' TERM
            echo ready
            while :; do sleep 0.05; done
            """, level)
        try sink.start()
        try sink.waitForLine()
        sink.process.terminate()
        let end = try sink.end()
        #expect(end.output == "farewell\n")
        #expect(end.status == 5)
    }

    @Test(arguments: try await ConfinedSink.levels()) func noGrandchildSurvivesTheSink(_ level: Containment)
        async throws
    {
        let sink = try await ConfinedSink(Self.python("leave()\nsys.exit(4)"), level)
        let end = try sink.run()
        #expect(!end.output.contains("survived"))
        #expect(end.status == 4)
    }

    @Test(arguments: try await ConfinedSink.levels()) func theOrderToEndLeavesNobody(_ level: Containment) async throws
    {
        let sink = try await ConfinedSink(
            Self.python("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nleave()\nleave()\ntime.sleep(20)"), level)
        try sink.start()
        try sink.waitForLine()
        sink.process.terminate()
        kill(sink.process.processIdentifier, SIGQUIT)
        let end = try sink.end()
        #expect(!end.output.contains("survived"))
        #expect(end.isSignal)
        #expect(end.status == SIGKILL)
    }

    /// Without a sandbox, a process in a session of its own survives SIGKILL of the supervisor: see ``SinkLaunch``.
    @Test(arguments: try await ConfinedSink.levels()) func theSinkDiesWithItsSupervisor(_ level: Containment)
        async throws
    {
        let sink = try await ConfinedSink(
            Self.python(
                "\(level == .sandbox ? "leave()" : "print('ready', flush=True)")\ntime.sleep(20)\nprint('survived')"),
            level)
        try sink.start()
        try sink.waitForLine()
        kill(sink.process.processIdentifier, SIGKILL)
        #expect(try !sink.end().output.contains("survived"))
    }

    @Test(arguments: try await ConfinedSink.levels()) func theDeathOfTheHostEndsAll(_ level: Containment) async throws {
        let sink = try await ConfinedSink(Self.python("leave()\ntime.sleep(20)\nprint('survived')"), level)
        var arguments = sink.launch.arguments
        let parent = try #require(arguments.firstIndex(of: "--parent"))
        arguments.removeSubrange(parent...parent + 1)
        // The shell plays the host, and passes its own process id.
        try sink.start(
            ["/bin/sh", "-c", #"launcher=$1; shift 2; "$launcher" supervise --parent $$ "$@" & wait"#, "host"]
                + [sink.launch.executable.string] + arguments)
        try sink.waitForLine()
        kill(sink.process.processIdentifier, SIGKILL)
        #expect(try !sink.end().output.contains("survived"))
    }

    @Test func aSinkOfAHostThatIsGoneIsNotStarted() async throws {
        let sink = try await ConfinedSink("#!/bin/sh\necho begun", .limits)
        var arguments = sink.launch.arguments
        let parent = try #require(arguments.firstIndex(of: "--parent"))
        arguments[parent + 1] = "1"
        try sink.start([sink.launch.executable.string] + arguments)
        #expect(try sink.end().output.isEmpty)
    }
}
