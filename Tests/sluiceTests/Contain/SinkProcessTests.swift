import Files
import Foundation
import ShareModel
import SystemPackage
import Testing

@testable import Ingestion
@testable import SinkHost

/// The engine that starts a sink's process and moves its bytes.
@Suite(.timeLimit(.minutes(60))) struct SinkProcessTests {
    private static func run<Value>(_ script: String, _ body: (SinkProcess) throws -> Value) async throws
        -> (value: Value, ending: ProcessEnding)
    {
        let sink = try await ConfinedSink("#!/bin/sh\n\(script)\n", .limits)
        return try await SinkProcess.run(sink.launch, body)
    }

    private static var soon: ContinuousClock.Instant { .now + .seconds(20) }

    @Test func linesComeAsTheyAreAndThenTheEnd() async throws {
        let (lines, ending) = try await Self.run("read line; echo \"got $line\"; echo last; echo log >&2; exit 3") {
            process in
            process.send(Array("a word\n".utf8))
            var lines: [String] = []
            while case .line(let line) = process.next(until: Self.soon) {
                lines.append(String(decoding: line, as: UTF8.self))
            }
            #expect(process.waitForEnd(until: Self.soon))
            #expect(process.hasEnded)
            return lines + [process.readLog()]
        }
        #expect(lines == ["got a word", "last", "log"])
        #expect(ending == .status(3))
    }

    @Test func nothingComesByTheDeadline() async throws {
        let (_, ending) = try await Self.run("echo; sleep 20") { process in
            // Before its first line, the supervisor may not have begun.
            guard case .line = process.next(until: Self.soon) else {
                Issue.record("no line")
                return
            }
            guard case .nothing = process.next(until: .now + .milliseconds(10)) else {
                Issue.record("a line of a silent process")
                return
            }
        }
        #expect(ending == .signal(SIGKILL), "the process ends with the body")
    }

    @Test func nothingIsReadBehindALineThatIsTooLong() async throws {
        let (_, ending) = try await Self.run("head -c 3000000 /dev/zero; echo; echo behind; exit 4") { process in
            guard case .tooLong = process.next(until: Self.soon) else {
                Issue.record("a line of three megabytes")
                return
            }
            guard case .ended = process.next(until: Self.soon) else {
                Issue.record("the line behind it")
                return
            }
            #expect(process.waitForEnd(until: Self.soon))
        }
        #expect(ending == .status(4))
    }

    @Test func aClosedInputIsNoEndOfTheHost() async throws {
        let (_, ending) = try await Self.run("exec <&-; echo closed; sleep 20") { process in
            guard case .line = process.next(until: Self.soon) else {
                Issue.record("the script printed nothing")
                return
            }
            process.send(Array(repeating: 0, count: 1 << 20))
            process.send([0])
            process.terminate()
        }
        #expect(ending == .signal(SIGTERM))
    }

    /// An unhandled SIGPIPE would end the test process. The write must not raise it, with any mask of the thread.
    @Test(arguments: [true, false]) func aPipeWithoutAReaderIsAnErrorAlone(isBlocked: Bool) async throws {
        let pipe = try PipeEnds()
        try pipe.readEnd.close()
        defer { try? pipe.writeEnd.close() }
        let writeEnd = pipe.writeEnd
        let isAsBefore = try await BlockingCall.run {
            var (signals, before, after, pending) = (sigset_t(), sigset_t(), sigset_t(), sigset_t())
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(isBlocked ? SIG_BLOCK : SIG_UNBLOCK, &signals, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            for _ in 0..<2 {
                let count = [UInt8(0)].withUnsafeBytes { SilentPipe.write($0, to: writeEnd) }
                guard count == -1, errno == EPIPE else { return false }
            }
            pthread_sigmask(SIG_SETMASK, nil, &after)
            sigpending(&pending)
            return (sigismember(&after, SIGPIPE) == 1) == isBlocked && sigismember(&pending, SIGPIPE) == 0
        }
        #expect(isAsBefore)
    }

    /// The program that embeds the library decides about its signals.
    @Test func thePipelineLeavesTheDispositionAlone() throws {
        var (before, after) = (sigaction(), sigaction())
        sigaction(SIGPIPE, nil, &before)
        let folder = try TestFolder()
        _ = Pipeline(options: IngestOptions(container: folder["container"]))
        sigaction(SIGPIPE, nil, &after)
        let isSame = handler(before) == handler(after)
        #expect(isSame)
    }

    private func handler(_ action: sigaction) -> Int {
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }
}
