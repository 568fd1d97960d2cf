internal import Glibc
package import SystemPackage

/// The programs that come with a program.
package enum CompanionProgram {
    /// The path of a program: beside the current one, as in a build, or in `../libexec/sluice` from there, as in an installation.
    package static func find(_ name: FilePath.Component, beside current: FilePath) -> FilePath {
        let beside = current.absolute.removingLastComponent()
        let places = [
            beside.appending(name), beside.removingLastComponent().appending("libexec/sluice").appending(name),
        ]
        return places.first { $0.withPlatformString { access($0, X_OK) == 0 } } ?? places[0]
    }
}
