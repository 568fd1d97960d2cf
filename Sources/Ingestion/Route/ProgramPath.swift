internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where this program lies, links resolved: its sinks are found from there.
enum ProgramPath {
    static var current: FilePath {
        #if os(Linux)
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #else
        let path = Bundle.main.executablePath
        #endif
        return FilePath(path ?? CommandLine.arguments.first ?? "")
    }
}
