import Glibc
import Testing

/// Access to files with the rights of a user who is not root.
enum OtherUser {
    /// Runs `body`, which must not leave its thread. For root, the thread's file accesses are those of another user
    /// meanwhile (setfsuid(2)), who owns nothing. Any other user keeps its own rights.
    static func reading(_ body: () throws -> Void) throws {
        guard geteuid() == 0 else { return try body() }
        let address = try #require(dlsym(nil, "setfsuid"))
        let setUser = unsafeBitCast(address, to: (@convention(c) (uid_t) -> CInt).self)
        _ = setUser(65_534)
        defer { _ = setUser(0) }
        try body()
    }
}
