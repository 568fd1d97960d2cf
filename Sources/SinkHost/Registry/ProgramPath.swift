internal import Files
package import SystemPackage

/// The path of the running program with its links resolved. The bundled sinks and `sluice-launch` are found from it.
package enum ProgramPath {
    package static var current: FilePath {
        FilePath("/proc/self/exe").real ?? FilePath(CommandLine.arguments.first ?? "")
    }
}
