internal import CSocket
internal import Glibc
internal import SystemPackage

/// The process at the other end of a connection, as the kernel knows it. Nothing in it comes from the process itself.
///
/// The kernel takes it down when the connection is made. Another process can get the identifier once this one has ended.
public struct ChannelPeer: Sendable, Hashable {
    /// The process identifier.
    public let process: Int32
    /// The effective user.
    public let user: UInt32
    /// The effective group.
    public let group: UInt32

    init(of socket: FileDescriptor) throws(ChannelError) {
        var peer = csocket_peer()
        guard csocket_get_peer(socket.rawValue, &peer) == 0 else {
            throw ChannelError(system: Errno(rawValue: errno), "asking for the process at the other end")
        }
        (process, user, group) = (peer.process, peer.user, peer.group)
    }

    /// Whether it has the user of this process.
    public var isSameUser: Bool { user == geteuid() }
}
