import ArgumentParser
import SinkHost

/// A first argument that is no command. ArgumentParser would call it an unexpected argument, and `help` would ignore it.
struct UnknownCommand {
    let message: StyledLine

    /// `nil` if the arguments begin with a command, or have none.
    init?(_ arguments: [String]) {
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        guard let word = words.first, !word.hasPrefix("-"), word != "help", Sluice.command(named: word) == nil else {
            return nil
        }
        let names = ["help"] + Sluice.configuration.subcommands.map { $0._commandName }
        let near = NearestName.of(word, among: names).map { "; did you mean '\($0)'?" }
        message = "\("sluice:", .bad) there is no command '\(name: word)'\(near ?? "; see `sluice help`")"
    }
}
