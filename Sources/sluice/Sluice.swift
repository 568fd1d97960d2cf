import ArgumentParser
import Glibc
import Ingestion
import ShareModel

/// The program: thin commands over the libraries, and all text that people read.
@main
struct Sluice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Stores what people share and delivers each piece to the right sink, without losing any.",
        discussion: """
            Exit status: 0 everything is stored and delivered (or pending, with --no-deliver); 1 a package was partial \
            or failed, or a delivery is still open (everything else is stored), or verify found a fault; 2 the \
            container cannot be used; 64 usage; 130 interrupted, after the commits under way.
            """,
        version: "sluice \(Release.version)",
        subcommands: [
            Ingest.self, Inspect.self, Identify.self,
            List.self, Show.self, Search.self, Changes.self,
            Deliver.self, Sinks.self,
            Verify.self, GC.self, Forget.self, Export.self, LibraryCommand.self, Migrate.self,
        ])

    static func main() async {
        Descriptors.prepare()
        Allocator.prepare()
        // The reader of a pipe may close it early (`| head`). The failed write reports that; the signal would kill the
        // run in the middle of a batch.
        signal(SIGPIPE, SIG_IGN)
        let parsed: any ParsableCommand
        let arguments = RawArguments.ofProcess
        if let unknown = UnknownCommand(arguments) {
            Console().say(unknown.message)
            leave(ExitStatus.usage.rawValue)
        }
        do { parsed = try parseAsRoot(RawArguments.folded(arguments)) } catch { end(error) }
        do {
            // Before anything that needs a thread.
            try ProcessNeeds.check()
            let locks = LockNotices.begin()
            defer { locks.cancel() }
            var command = parsed
            // Not every command is asynchronous: ArgumentParser's own `help` is not.
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard let status = ExitStatus.report(error, to: Console()) else { end(error) }
            leave(status)
        }
    }

    /// Ends the process as ArgumentParser does, but makes its messages safe for a terminal: they repeat the arguments,
    /// and a file's name can have escape sequences.
    private static func end(_ error: any Error) -> Never {
        let status = exitCode(for: error)
        // Help and the version repeat no argument, and belong on standard output.
        guard status != .success else { exit(withError: error) }
        let text = fullMessage(for: error)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) where !text.isEmpty {
            Console().say("\(line)")
        }
        leave(status.rawValue)
    }
}

// Outside of the type, because there the name `exit` means ArgumentParser's method.
private func leave(_ status: Int32) -> Never { exit(status) }
