import CFileSystem
import SystemPackage
import Testing

@testable import Files
@testable import GroupContainer

/// Locks do not hold on a network, so no container is there.
@Suite struct NetworkFileSystemTests {
    /// The numbers are those of statfs(2) and of `linux/magic.h`.
    @Test(arguments: [
        (0x6969, "NFS"), (0xFF53_4D42, "SMB"), (0xFE53_4D42, "SMB"), (0x0102_1997, "9p"), (0x5346_414F, "AFS"),
    ])
    func theNetworksAreKnown(_ type: Int, _ name: String) {
        #expect(cfilesystem_network_name(type).map { String(cString: $0) } == name)
        // As `f_type` of 32 bits has it.
        #expect(cfilesystem_network_name(Int(Int32(truncatingIfNeeded: type))).map { String(cString: $0) } == name)
    }

    /// ext, XFS, Btrfs, tmpfs, overlayfs, FUSE.
    @Test(arguments: [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x6573_5546])
    func theOthersAreNone(_ type: Int) { #expect(cfilesystem_network_name(type) == nil) }

    @Test(arguments: ["new/container", "old"])
    func aContainerOnANetworkIsRefused(_ place: String) throws {
        let folder = try TestFolder()
        _ = try Container.open(at: folder["old"])
        let before = Disk.files(below: folder.path)
        let fileSystem = HookedFileSystem(network: "NFS")
        let error = #expect(throws: ContainerError.self) {
            try Container.open(at: folder[place], fileSystem: fileSystem)
        }
        #expect(error?.remedy == .nameLocalFolder)
        #expect(error?.message.contains("(NFS)") == true)
        #expect(Disk.files(below: folder.path) == before)
        // What is there can be read, and copied to a place where it can be used.
        _ = try CatalogReader(reading: folder["old"], fileSystem: fileSystem)
    }

    @Test func thisDiskIsNone() throws { #expect(SystemFileSystem().networkName(of: try TestFolder().path) == nil) }
}
