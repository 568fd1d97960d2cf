import Glibc

/// A process in its own session that outlives the mock and keeps its pipes open.
enum Grandchild {
    // POSIX_SPAWN_SETSID of each system, which Swift does not import.
    private static let setSession: Int16 = 0x80

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

    private static func makeAttributes() -> posix_spawnattr_t { posix_spawnattr_t() }
}
