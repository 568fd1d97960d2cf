public import SystemPackage

extension FilePath {
    /// A path of any bytes but zero, which ends it: names need not be UTF-8.
    public init(bytes: some Sequence<UInt8>) {
        self.init(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
    }

    /// The path's bytes, without a NUL at the end.
    public var bytes: [UInt8] {
        withPlatformString { pointer in
            var end = pointer
            while end.pointee != 0 { end += 1 }
            return Array(UnsafeRawBufferPointer(start: pointer, count: end - pointer))
        }
    }
}
