import CSocket
import Dispatch
import Glibc

/// Hears of each change of the routes and links of the machine (rtnetlink).
final class NetworkWatch: Sendable {
    private let socket: Int32

    /// `nil` if the system tells nothing. Then the next try comes at its time.
    init?(_ changed: @escaping @Sendable () -> Void) {
        let socket = csocket_watch_network()
        guard socket >= 0 else { return nil }
        self.socket = socket
        DispatchQueue(label: "sluice.network").async {
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = recv(socket, &bytes, bytes.count, 0)
                // After a flood of changes the kernel drops some, and says so.
                guard count > 0 || count < 0 && (errno == EINTR || errno == ENOBUFS) else { return }
                changed()
            }
        }
    }

    /// Whether the machine has a network beyond its own ones.
    static var hasNetwork: Bool { csocket_has_network() }

    func end() { shutdown(socket, Int32(SHUT_RDWR)) }
}
