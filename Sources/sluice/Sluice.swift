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
        // Each has its name in its configuration. ArgumentParser would make it of the type's name otherwise, which takes the
        // runtime milliseconds.
        subcommands: [
            Ingest.self, Share.self, Inspect.self, Identify.self,
            List.self, Show.self, Search.self, TagCommand.self, Open.self, Cat.self, Path.self, Changes.self,
            Deliver.self, TransfersCommand.self, AgentCommand.self, Status.self, Sinks.self, Account.self,
            Verify.self, GC.self, Forget.self, Export.self, Backup.self, LibraryCommand.self, Migrate.self,
        ])

    static func main() async {
        Inheritance.prepare()
        Descriptors.prepare()
        Allocator.prepare()
        // The reader of a pipe may close it early (`| head`). The failed write reports that; the signal would kill the
        // run in the middle of a batch.
        signal(SIGPIPE, SIG_IGN)
        // The same for a file above the limit of `ulimit -f`. It fails alone.
        signal(SIGXFSZ, SIG_IGN)
        let parsed: any ParsableCommand
        let arguments = RawArguments.ofProcess
        if let message = UnknownCommand(arguments)?.message ?? UnknownFlags(arguments)?.message {
            Console().say(message)
            leave(ExitStatus.usage.rawValue)
        }
        do { parsed = try parse(RawArguments.folded(arguments)) } catch { end(error) }
        do {
            // Before anything that needs a thread.
            try ProcessNeeds.check(threads: parsed is Share ? ProcessNeeds.threadsOfAShare : ProcessNeeds.threads)
            // Its timer would wake an agent every second.
            let locks = parsed is AgentCommand ? nil : LockNotices.begin()
            defer { locks?.cancel() }
            var command = parsed
            // Not every command is asynchronous: ArgumentParser's own `help` is not.
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            await LoginNotice.show(after: parsed)
        } catch {
            if error is ExitCode { await LoginNotice.show(after: parsed) }
            let option = (parsed as? any ContainerCommand)?.container.again ?? ""
            guard let status = ExitStatus.report(error, to: Console(), containerOption: option) else { end(error) }
            leave(status)
        }
    }

    /// The command of a name; `nil` if there is none.
    static func command(named name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.configuration.commandName == name }
    }

    /// Parses the arguments of a command by that command alone, which takes less time than to build all of them. Help and
    /// errors come from the whole program, which names itself in them.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        // All commands are asynchronous. What else comes of their arguments is ArgumentParser's `help`.
        guard let name = arguments.first, let command = command(named: name),
            let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())), parsed is any AsyncParsableCommand
        else { return try parseAsRoot(arguments) }
        return parsed
    }

    /// Ends the process with ArgumentParser's status, and with its message in the form of all others.
    private static func end(_ error: any Error) -> Never {
        let status = exitCode(for: error)
        // Help and the version repeat no argument, and belong on standard output.
        guard status != .success else { exit(withError: error) }
        usageText(for: error).forEach { Console().say($0) }
        leave(status.rawValue)
    }

    /// ArgumentParser's message, and the command whose help it belongs to; nothing if there is no message.
    static func usageText(for error: any Error) -> [StyledLine] {
        var lines = message(for: error).split(separator: "\n").map(String.init)
        guard let first = lines.first?.first, let last = lines.last else { return [] }
        // The last line of the full message is "See 'sluice list --help' for more information."
        let see = fullMessage(for: error).split(separator: "\n").last { $0.contains("See '") }
        if let command = see?.split(separator: "'").dropFirst().first {
            let link = last.hasSuffix("?") ? " See" : "; see"
            lines[lines.count - 1] = "\(last.hasSuffix(".") ? String(last.dropLast()) : last)\(link) `\(command)`"
        }
        // Its messages are sentences, those of this program clauses.
        let rest = lines[0].dropFirst()
        lines[0] = (rest.first?.isUppercase == true ? String(first) : first.lowercased()) + rest
        let start: StyledLine = "\("sluice:", .bad) \(lines[0])"
        return [start] + lines.dropFirst().map { StyledLine($0, .plain) }
    }
}

// Outside of the type, because there the name `exit` means ArgumentParser's method.
private func leave(_ status: Int32) -> Never { exit(status) }
