import ArgumentParser

/// `sluice sinks`: the programs that take deliveries.
struct Sinks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sinks",
        abstract: "List, try, test and make sinks.",
        discussion: """
            Sinks are searched in the folders that $SLUICE_SINKS names, in $XDG_DATA_HOME/sluice/sinks (else \
            ~/.local/share/sluice/sinks), and beside the installed program. Your settings for a sink are in \
            sinks/<id>.json below $SLUICE_CONFIG, else $XDG_CONFIG_HOME/sluice, else ~/.config/sluice:

              {"enabled": true, "order": 0, "network": false, "config": {…},
               "secrets": {"token": {"env": "NAME"}}, "limits": {"total_s": 600}}

            A secret is {"env": "NAME"}, {"file": "/path"}, {"command": ["program", …]} or {"account": "NAME"}; see \
            'sluice help account'.
            """,
        subcommands: [SinksList.self, SinksRoute.self, SinksRun.self, SinksNew.self, SinksTest.self],
        defaultSubcommand: SinksList.self)
}
