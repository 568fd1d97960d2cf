public import SystemPackage

extension FilePath {
    /// A path of any bytes but zero, which ends it: names need not be UTF-8.
    public init(bytes: some Sequence<UInt8>) {
        let text = Array(bytes) + [0]
        self = text.withUnsafeBytes { $0.withMemoryRebound(to: CChar.self) { FilePath(text: $0) } }
    }

    /// - Parameter text: ends in a zero.
    private init(text: UnsafeBufferPointer<CChar>) {
        guard let start = text.baseAddress else {
            self.init()
            return
        }
        self.init(platformString: start)
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
