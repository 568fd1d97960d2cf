#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A process that outlives the mock, in a session of its own, with the mock's pipes.
enum Grandchild {
    #if canImport(Darwin)
    private static let setSession: Int16 = 0x0400
    #else
    private static let setSession: Int16 = 0x80
    #endif

    static func start() throws {
        var attributes = makeAttributes()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, setSession)
        let words = [strdup("/bin/sleep"), strdup("600"), nil]
        defer { words.forEach { free($0) } }
        var identifier: pid_t = 0
        guard posix_spawn(&identifier, "/bin/sleep", nil, &attributes, words, environ) == 0 else {
            throw MockFailure("/bin/sleep cannot be started")
        }
    }

    #if canImport(Darwin)
    private static func makeAttributes() -> posix_spawnattr_t? { nil }
    #else
    private static func makeAttributes() -> posix_spawnattr_t { posix_spawnattr_t() }
    #endif
}
