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
        // One writes the keys of all connections into a file, and others name other servers. The first caller's would count for all.
        for name in [
            "SSLKEYLOGFILE", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "SSL_CERT_FILE", "SSL_CERT_DIR",
            "HOSTALIASES",
            "RES_OPTIONS", "LOCALDOMAIN", "CURL_HOME", "NOTIFY_SOCKET",
        ] { unsetenv(name) }
        let arguments = CommandLine.arguments
        guard (3...4).contains(arguments.count) else { exit(64) }
        let (container, run) = (FilePath(arguments[1]), FilePath(arguments[2]))
        let tokens = Tokens(arguments.count > 3 ? FilePath(arguments[3]) : nil)
        guard let engine = Engine() else { exit(1) }
        let server = ChannelServer(
            .address(ChannelAddress(folder: run, name: TransferClient.channel)),
            accepting: ChannelTypes(
                RequestOrder.self, CancelOrder.self, RecordOrder.self, ChangeOrder.self, LookOrder.self, JoinOrder.self,
                LeaveOrder.self, ConfirmOrder.self, WorkingNotice.self))
        let connections: AsyncStream<ChannelConnection>
        // Another one serves already, or the folder is gone.
        do { connections = try server.start() } catch { exit(1) }
        let idle = Idleness { server.stop() }
        let desk: Desk
        do {
            desk = try Desk(container: container, engine: engine, tokens: tokens) { idle.set(busy: $0) }
            try await desk.start()
        } catch { fail("\(error)") }
        let network = NetworkWatch { Task { await desk.networkChanged() } }
        let service = Service(engine: engine, tokens: tokens, desk: desk)
        for await connection in connections {
            // It greets no connection any more that it would serve; the caller starts another process.
            guard idle.began() else {
                connection.close("idle")
                continue
            }
            // The shell that started it may have had another network, or none.
            if NetworkWatch.isElsewhere(connection.peer.process), await !desk.isRunning {
                idle.leave()
                connection.close("another network")
                continue
            }
            Task {
                await service.serve(connection)
                idle.ended()
            }
        }
        network?.end()
        exit(0)
    }

    /// Ends the process with a reason for its log.
    static func fail(_ why: String) -> Never {
        _ = try? FileDescriptor.standardError.writeAll(Array("sluice-transfer: \(why)\n".utf8))
        exit(1)
    }
}
