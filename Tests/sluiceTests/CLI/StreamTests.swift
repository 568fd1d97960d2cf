import Dispatch
import Files
import Ingestion
import ShareModel
import SystemPackage
import Testing

@testable import sluice

@Suite struct StreamTests {
    /// Returns everything that the body writes to a pipe; it must fit into the pipe.
    private func written(_ body: (OutputStream) throws -> Void) throws -> String {
        let pipe = try FileDescriptor.pipe()
        defer { try? pipe.readEnd.close() }
        do {
            defer { try? pipe.writeEnd.close() }
            let stream = OutputStream(pipe.writeEnd)
            try body(stream)
            stream.flush()
        }
        var result: [UInt8] = []
        var lines = LineReader(pipe.readEnd)
        while let line = try lines.next() { result += line.bytes + [10] }
        return String(decoding: result, as: UTF8.self)
    }

    @Test func linesComeOutWholeAndInOrder() throws {
        let text = try written { stream in
            stream.write(line: "one".utf8, flushing: false)
            stream.write(line: "two".utf8, flushing: false)
            #expect(stream.failure == nil)
        }
        #expect(text == "one\ntwo\n")
    }

    @Test func aFullDiskIsNotSilent() throws {
        let full = try FileDescriptor.open("/dev/full", .writeOnly)
        defer { try? full.close() }
        let console = Console(output: OutputStream(full))
        console.print("lost")
        #expect(console.isOutputGone)
        let lost = try #require(throws: OutputLost.self) { try console.finish() }
        #expect(lost.errno == .noSpace)
        #expect(!lost.isQuiet)
    }

    private static func progress(bytes: Int64, reading: FilePath? = nil) -> IngestProgress {
        var progress = IngestProgress()
        (progress.packages, progress.bytes, progress.reading) = (1, bytes, reading)
        return progress
    }

    @Test func progressIsSilentWithoutATerminal() async throws {
        let pipe = try FileDescriptor.pipe()
        defer { try? pipe.readEnd.close() }
        let terminal = Terminal(isTerminal: false, kind: "xterm", noColor: false)
        let line = ProgressLine(stream: OutputStream(pipe.writeEnd), terminal: terminal, isWanted: true)
        line.take(.progress(Self.progress(bytes: 7)))
        await line.run()
        line.cleared {}
        try pipe.writeEnd.close()
        var lines = LineReader(pipe.readEnd)
        #expect(try lines.next() == nil)
    }

    @Test func progressIsClearedBeforePermanentLines() throws {
        let text = try written { stream in
            let terminal = Terminal(isTerminal: true, kind: "xterm", noColor: true)
            let line = ProgressLine(stream: stream, terminal: terminal, isWanted: true)
            line.take(.progress(Self.progress(bytes: 1_500, reading: "dir/a\u{1B}b")))
            line.draw()
            line.draw()
            line.cleared { stream.write(line: "done".utf8) }
        }
        #expect(text == "\r\u{1B}[2K1 package · 1.5 KB · a\\u{1B}b\r\u{1B}[2Kdone\n")
    }

    @Test func longLinesAreSkipped() throws {
        let pipe = try FileDescriptor.pipe()
        let long = [UInt8](repeating: 65, count: LineReader.limit + 1)
        // The writer needs its own thread, because it blocks until the reader makes room.
        DispatchQueue(label: "writer").async {
            #expect(throws: Never.self) {
                try pipe.writeEnd.closeAfter { try pipe.writeEnd.writeAll(long + Array("\n\nlast".utf8)) }
            }
        }
        var lines = LineReader(pipe.readEnd)
        let first = try lines.next()
        #expect(first?.isTooLong == true)
        #expect(try lines.next()?.bytes == [])
        #expect(try lines.next()?.bytes == Array("last".utf8))
        #expect(try lines.next() == nil)
        #expect(lines.number == 3)
        try pipe.readEnd.close()
    }

    @Test func claimLinesAreParsed() throws {
        func request(_ text: String) throws -> FileSniffer.Request {
            try ClaimRequest.request(LineReader.Line(bytes: Array(text.utf8)), number: 3)
        }
        let plain = try request(#"{"path":"a.png","declared":"public.jpeg"}"#)
        #expect(plain.path == "a.png")
        #expect(plain.claims == TypeClaims(declared: "public.jpeg"))
        let odd = try request(#"{"path_base64":"L+Q=","name":"x.pdf"}"#)
        #expect(odd.path == FilePath(bytes: [0x2F, 0xE4]))
        for bad in ["", "[]", "{}", #"{"path":""}"#, #"{"path":7}"#, #"{"path":"a\u0000b"}"#] {
            let error = try #require(throws: IngestionError.self) { try request(bad) }
            #expect(error.message.hasPrefix("line 3 "))
        }
    }

    @Test func losingOutputStopsTheWork() async throws {
        let causes = AsyncStream.makeStream(of: Interruption.Cause.self)
        let end = await Interruption.watch {
            causes.continuation.yield($0)
        } _: { stop in
            stop()
            // The cancellation that follows ends this wait.
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            return Task.isCancelled
        }
        causes.continuation.finish()
        #expect(end.cause == .outputLost)
        #expect(try end.result.get())
        #expect(await causes.stream.reduce(into: []) { $0.append($1) } == [.outputLost])
    }

    @Test func workThatEndsIsNotInterrupted() async throws {
        let end = await Interruption.watch { _ in
        } _: { _ in
            7
        }
        #expect(try end.result.get() == 7)
        #expect(end.cause == nil)
    }
}
