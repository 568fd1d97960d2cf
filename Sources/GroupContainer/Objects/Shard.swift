package import SystemPackage

/// One of the 256 folders of the objects, named after the first byte of their digests.
package struct Shard {
    package let byte: UInt8

    package static let all = (UInt8.min...UInt8.max).map(Shard.init(byte:))

    init(byte: UInt8) { self.byte = byte }

    /// `nil` for a name that is not two lower-case hexadecimal digits.
    package init?(_ name: FilePath.Component) {
        // `UInt8` also parses `+f` and `0F`, which name no folder of objects.
        guard let byte = UInt8(name.string, radix: 16), Shard(byte: byte).name == name.string else { return nil }
        self.init(byte: byte)
    }

    /// Two lower-case hexadecimal digits.
    package var name: String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
