internal import Glibc

/// The path of a program of this name in the folders of `PATH`; `nil` if it is missing. Without `PATH`, it is looked for in
/// `/usr/bin`.
///
/// A sink looks for it in each delivery, because the user may install it while the sink runs.
public func installedProgram(_ name: String) -> String? {
    let folders = (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin").split(separator: ":")
    let paths = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    return paths.first { access($0, X_OK) == 0 }
}
