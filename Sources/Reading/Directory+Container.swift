internal import Files
internal import FoundationEssentials
internal import ShareModel
internal import SystemPackage

extension Directory {
    /// The longest file with the mark of a container, in bytes.
    private static let markLimit = 4 << 10

    /// Whether the folder is a container, of any version. Its files would be content without a name.
    var isContainer: Bool {
        guard let mark = FilePath.Component(ContainerMark.file),
            let objects = FilePath.Component(ContainerMark.objects), let file = try? open(mark)
        else { return false }
        do {
            let bytes = try OpenedFile(file, name: ContainerMark.file).bytes(limit: Self.markLimit)
            guard try JSONDecoder().decode(ContainerMark.self, from: Data(bytes)).isValid else { return false }
            if case .folder = try kind(of: objects) { return true }
            return false
        } catch {
            // It is another file of this name, which a walk yields with its own error.
            return false
        }
    }
}
