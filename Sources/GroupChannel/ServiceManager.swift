internal import CSocket
internal import Glibc
public import SystemPackage

/// The service manager that started this process, such as systemd.
public enum ServiceManager {
    /// The socket that it passed to this process (sd_listen_fds(3)); `nil` if it passed none.
    ///
    /// - Parameter environment: the variables of the process.
    /// - Throws: ``ChannelError`` if it passed several, or something else.
    public static func socket(_ environment: [String: String]) throws(ChannelError) -> FileDescriptor? {
        guard environment["LISTEN_PID"] == "\(getpid())", let count = environment["LISTEN_FDS"], count != "0" else {
            return nil
        }
        let first: Int32 = 3
        guard count == "1", csocket_is_listening(first) == 1 else {
            throw ChannelError(
                .system, "LISTEN_FDS is \(count), but the server needs one listening local stream socket")
        }
        _ = fcntl(first, F_SETFD, FD_CLOEXEC)
        return FileDescriptor(rawValue: first)
    }

    /// Tells the manager about this process, such as `READY=1` (sd_notify(3)). Without a manager, or if it does not listen, nothing
    /// happens.
    ///
    /// - Parameter environment: the variables of the process.
    public static func tell(_ state: String, _ environment: [String: String]) {
        guard let socket = environment["NOTIFY_SOCKET"] else { return }
        _ = csocket_notify(socket, state)
    }
}
