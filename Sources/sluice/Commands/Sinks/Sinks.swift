import ArgumentParser

/// `sluice sinks`: what there is to deliver to.
struct Sinks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See, try and write sinks.",
        discussion: """
            Sinks are looked for in the folders that $SLUICE_SINKS names, in $XDG_DATA_HOME/sluice/sinks (else \
            ~/.local/share/sluice/sinks), and where the program was installed. What you set for one is in \
            sinks/<id>.json below $SLUICE_CONFIG, else $XDG_CONFIG_HOME/sluice, else ~/.config/sluice:

              {"enabled": true, "order": 0, "network": false, "config": {…},
               "secrets": {"token": {"env": "NAME"}}, "limits": {"total_s": 600}}

            A secret is {"env": NAME}, {"file": "/path"} or {"command": ["program", …]}.
            """,
        subcommands: [SinksList.self, SinksRoute.self, SinksRun.self, SinksNew.self, SinksTest.self],
        defaultSubcommand: SinksList.self)
}
