public import SystemPackage

extension FilePath {
    /// A path from bytes, which need not be UTF-8. The path ends at the first zero byte.
    public init(bytes: some Sequence<UInt8>) {
        // `FilePath(String)` would replace bytes that are not UTF-8.
        self.init(platformString: [CChar](terminated: bytes))
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

extension FilePath.Component {
    /// A component from bytes, which need not be UTF-8. `nil` if they are empty or contain a slash.
    package init?(bytes: some Sequence<UInt8>) { self.init(platformString: [CChar](terminated: bytes)) }
}

extension Collection<UInt8> {
    /// Whether these bytes are the name `.` or `..`.
    package var isDotName: Bool {
        // Without a closure, which takes long at its first use in a collection of any kind.
        guard first == UInt8(ascii: ".") else { return false }
        return count == 1 || count == 2 && self[index(after: startIndex)] == UInt8(ascii: ".")
    }
}

extension [CChar] {
    /// The bytes, and a zero byte.
    fileprivate init(terminated bytes: some Sequence<UInt8>) {
        // A copy first, because each step through a sequence of another module is a call. An array is its own copy.
        let bytes = [UInt8](bytes)
        self = []
        reserveCapacity(bytes.count + 1)
        for byte in bytes { append(CChar(bitPattern: byte)) }
        append(0)
    }
}
