import Accounts
import ArgumentParser
import Files
import GroupContainer
import Ingestion
import ShareModel
import SystemPackage

/// Says at the end of a command what waits for a login. Without accounts, it only looks for their folder.
enum LoginNotice {
    static func show(after command: any ParsableCommand) async {
        guard let command = command as? any ContainerCommand, command.saysWhatNeedsALogin else { return }
        let (container, console) = (command.container, Console())
        guard let folder = SinkPlaces().configuration?.appending("accounts"),
            let names = try? PrivateFolder(folder.absolute).names(), !names.isEmpty,
            let places = try? container.options(isPlan: true),
            let reader = try? CatalogReader(reading: places.container), !reader.isOlder
        else { return }
        let pipeline = Pipeline(options: places)
        guard !pipeline.accounts.accounts.isEmpty, let open = try? await pipeline.openDeliveries() else { return }
        lines(open, container.again).forEach(console.say)
    }

    /// One line for each account, however many sinks and deliveries wait.
    static func lines(_ open: [OpenDeliveries], _ again: StyledLine) -> [StyledLine] {
        let waiting = Dictionary(grouping: open.filter { $0.needs != nil }) {
            "\($0.account?.description ?? "") \($0.needs == .login)"
        }
        return waiting.sorted { $0.key < $1.key }.compactMap { _, open in
            guard let first = open.first else { return nil }
            let count = open.reduce(0) { $0 + $1.count }
            let what = "\(Units.count(count, "delivery")) \(count == 1 ? "waits" : "wait")"
            return "\("!", .warning) \(what): \(WhyText.line(NeedText.worded(first, again), again))"
        }
    }
}
