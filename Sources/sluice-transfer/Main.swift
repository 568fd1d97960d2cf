import Files
import Glibc
import GroupChannel
import ShareModel
import SystemPackage
import Transfers

/// The transfer process of a container: the only program that opens network connections for its sinks. See the guide of the module
/// `Transfers`.
@main
struct Main {
    static func main() async {
        ProcessMemory.hide()
        signal(SIGPIPE, SIG_IGN)
        let arguments = CommandLine.arguments
        guard (3...4).contains(arguments.count) else { exit(64) }
        let (run, accounts) = (FilePath(arguments[2]), arguments.count > 3 ? FilePath(arguments[3]) : nil)
        guard let engine = Engine() else { exit(1) }
        let service = Service(engine: engine, tokens: Tokens(accounts))
        let server = ChannelServer(
            .address(ChannelAddress(folder: run, name: TransferClient.channel)),
            accepting: ChannelTypes(RequestOrder.self, CancelOrder.self))
        let connections: AsyncStream<ChannelConnection>
        // Another one serves already, or the folder is gone.
        do { connections = try server.start() } catch { exit(1) }
        let idle = Idleness { server.stop() }
        for await connection in connections {
            idle.began()
            Task {
                await service.serve(connection)
                idle.ended()
            }
        }
        exit(0)
    }
}
