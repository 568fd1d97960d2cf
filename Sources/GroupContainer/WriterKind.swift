/// What a process that writes to the container is going to do, which decides how it makes things durable.
package enum WriterKind: Sendable {
    /// It may commit many packages. One sync of the whole file system is the cheapest way then, but it waits for what other programs
    /// have written.
    case run
    /// It commits one package and ends. Each object is synced when it is finished, and each folder that got a name, so it waits for
    /// nothing else. The catalog's log stays for the next process, unless it is long.
    case share
}
