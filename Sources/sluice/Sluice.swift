import ArgumentParser
import Glibc
import Ingestion
import ShareModel

/// The program: thin commands over the library `Ingestion`, and everything that is printed.
@main
struct Sluice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Takes in what people share, and puts each piece where it belongs, without losing any.",
        discussion: """
            Exit status: 0 all is in and settled (or pending, with --no-deliver); 1 something was partial or failed, or a delivery is still open (the \
            rest is in), or verify found something wrong; 2 the container cannot be used; 64 usage; 130 interrupted, \
            after the commits under way.
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
        // A reader that has had enough (`| head`) is told by the write's error, not by a signal that kills the run.
        signal(SIGPIPE, SIG_IGN)
        let parsed: any ParsableCommand
        do { parsed = try parseAsRoot(RawArguments.folded(RawArguments.ofProcess)) } catch { exit(withError: error) }
        do {
            var command = parsed
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard let status = ExitStatus.report(error, to: Console()) else { exit(withError: error) }
            leave(status)
        }
    }
}

private func leave(_ status: Int32) -> Never { exit(status) }
