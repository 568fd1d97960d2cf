package import FoundationEssentials
internal import ShareModel
internal import SystemPackage

extension FilePath {
    /// A path's bytes. The catalog keeps no text here, because names need not be UTF-8.
    var blob: Data { Data(bytes) }

    package init?(blob: Data?) {
        guard let blob else { return nil }
        self.init(bytes: blob)
    }
}

extension Digest {
    /// The digest's 32 bytes, half of what its hexadecimal digits would take.
    package var blob: Data { withUnsafeBytes { Data($0) } }

    package init(blob: Data) throws {
        guard blob.count == 32 else {
            throw ContainerError.unreadable("the catalog holds \(blob.count) bytes where a digest belongs")
        }
        self = blob.withUnsafeBytes { Digest(bytes: $0) }
    }
}
