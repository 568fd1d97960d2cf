internal import Files
internal import SystemPackage

/// An entry of which a rule for groups reads a few bytes. What cannot be read proves nothing.
struct SiblingFile {
    let name: EntryName
    private let component: FilePath.Component
    private let folder: Directory

    init(_ component: FilePath.Component, in folder: Directory) {
        (self.component, self.folder) = (component, folder)
        name = EntryName(component.bytes)
    }

    /// At most `count` bytes from a place on; none if the entry cannot be read.
    func bytes(_ count: Int, from place: Int64 = 0) -> [UInt8] {
        guard let descriptor = try? folder.open(component),
            let file = try? OpenedFile(descriptor, name: component.string)
        else { return [] }
        return
            (try? [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
                read = 0
                while read < count {
                    let rest = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[read...]))
                    let more = try file.descriptor.read(fromAbsoluteOffset: place + Int64(read), into: rest)
                    guard more > 0 else { break }
                    read += more
                }
            }) ?? []
    }
}
