import SystemPackage

extension FilePath {
    /// A path of any bytes but zero, which ends it.
    init(bytes: some Sequence<UInt8>) {
        self.init(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
    }

    var bytes: [UInt8] {
        withPlatformString { text in
            var bytes: [UInt8] = []
            var position = text
            while position.pointee != 0 {
                bytes.append(UInt8(bitPattern: position.pointee))
                position += 1
            }
            return bytes
        }
    }
}

extension FilePath {
    /// The bytes of the last component; of the whole path where it has none.
    var name: [UInt8] { lastComponent.map { FilePath(root: nil, components: $0).bytes } ?? bytes }
}
