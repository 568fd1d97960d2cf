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

    /// Whether the machine has a route to other networks than those that it is part of.
    static var hasDefaultRoute: Bool { csocket_has_default_route() }

    /// Whether a process is in another network namespace than this one, as one that `unshare --net` or a container starts is.
    static func isElsewhere(_ process: Int32) -> Bool {
        guard let own = network(of: "self"), let other = network(of: String(process)) else { return false }
        return own != other
    }

    private static func network(of process: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink("/proc/\(process)/ns/net", start, buffer.count)
            return count > 0 ? String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self) : nil
        }
    }

    func end() { shutdown(socket, Int32(SHUT_RDWR)) }
}

/// A request failed because the machine has no network. That says nothing about the service, however often it happens.
struct OfflineError: Error {
    let why: String

    /// - Parameter what: what cannot be used.
    init(_ what: String) { why = "\(what): this machine has no route to other networks" }
}
