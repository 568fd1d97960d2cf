public import SystemPackage

extension FilePath {
    /// A path from bytes, which need not be UTF-8. The path ends at the first zero byte.
    public init(bytes: some Sequence<UInt8>) {
        let text = Array(bytes) + [0]
        // `FilePath(String)` would replace bytes that are not UTF-8.
        self = text.withUnsafeBytes { $0.withMemoryRebound(to: CChar.self) { FilePath(text: $0) } }
    }

    /// - Parameter text: must end in a zero byte.
    private init(text: UnsafeBufferPointer<CChar>) {
        guard let start = text.baseAddress else {
            self.init()
            return
        }
        self.init(platformString: start)
    }

    /// The bytes of the path, without a zero byte at the end.
    public var bytes: [UInt8] {
        withPlatformString { pointer in
            var end = pointer
            while end.pointee != 0 { end += 1 }
            return Array(UnsafeRawBufferPointer(start: pointer, count: end - pointer))
        }
    }
}
