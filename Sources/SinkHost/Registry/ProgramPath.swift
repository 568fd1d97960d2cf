internal import Files
package import SystemPackage

/// Where this program lies, links resolved: its sinks are found from there.
package enum ProgramPath {
    package static var current: FilePath {
        FilePath("/proc/self/exe").real ?? FilePath(CommandLine.arguments.first ?? "")
    }
}
