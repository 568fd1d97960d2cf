internal import SystemPackage

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Starts programs by `posix_spawn`, each in a process group of its own, with no signal blocked or ignored.
enum Spawn {
    #if canImport(Darwin)
    private typealias Actions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
    private static func actions() -> Actions { nil }
    private static func attributes() -> Attributes { nil }
    #else
    private typealias Actions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
    private static func actions() -> Actions { Actions() }
    private static func attributes() -> Attributes { Attributes() }
    #endif

    /// - Parameter standard: what becomes standard input, output and error.
    /// - Returns: the process' identifier, which is also its group's.
    static func run(_ command: [String], _ environment: [String], standard: [Int32]) throws -> pid_t {
        var actions = actions()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in standard.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        var attributes = attributes()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var identifier: pid_t = 0
        let failure = withStrings(command) { arguments in
            withStrings(environment) { variables in
                posix_spawn(&identifier, command[0], &actions, &attributes, arguments, variables)
            }
        }
        guard failure == 0 else { throw Errno(rawValue: failure) }
        return identifier
    }

    private static func withStrings<Value>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
