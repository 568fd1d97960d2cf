internal import Files
internal import SystemPackage

/// Which container is at a place, by the identities of its catalog and of the lock of all its users.
struct ContainerIdentity: Sendable, Equatable {
    private let identities: [String?]

    init(of layout: ContainerLayout, _ fileSystem: any FileSystem) {
        identities = [layout.catalog, layout.lock(.container)].map { try? fileSystem.identity(of: $0) }
    }

    /// Whether a container is there. While one is removed, some of its files are still there.
    var isWhole: Bool { !identities.contains(nil) }
}

extension ContainerLayout {
    /// The error of a container that was open when it, or its folder `run`, was removed, moved or replaced.
    var isGone: ContainerError { ContainerError(.notAContainer, "the container \(root) was removed or replaced") }
}
