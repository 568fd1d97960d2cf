internal import GroupContainer
internal import Reading
internal import ShareModel

/// An input for a worker.
struct HandedInput: Sendable {
    let input: ReadInput
    let original: Original?
    /// About the memory of the input, in bytes.
    let memory: Int

    /// The bytes of an input that cannot be read again, because it came through a pipe.
    enum Original: Sendable {
        case bytes([UInt8])
        case staged(StagedObject)

        var digest: Digest {
            switch self {
            case .bytes(let bytes): Digest(of: bytes)
            case .staged(let object): object.digest
            }
        }
    }

    init(input: ReadInput, original: Original? = nil) {
        (self.input, self.original) = (input, original)
        let package = if case .package(let package, _) = input { package.memory } else { 1_024 }
        memory = if case .bytes(let bytes) = original { package + bytes.count } else { package }
    }

    /// Whether nothing else has the input any more: it is a description that came through a pipe.
    var isOnlyCopy: Bool { if case .bytes = original { true } else { false } }

    /// The size that the source states for its file, in bytes; 0 for an input that is no file.
    var fileSize: Int64 {
        guard case .package(let package, _) = input else { return 0 }
        return package.source.stamp?.size ?? 0
    }
}
