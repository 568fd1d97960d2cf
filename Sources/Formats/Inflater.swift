internal import CZlib

/// Decompresses deflated bytes (RFC 1951), up to a limit.
package enum Inflater {
    private static let version = ZLIB_VERSION
    /// A negative value tells zlib that the data has no zlib header.
    private static let rawWindow: Int32 = -15

    /// At most `limit` decompressed bytes. If the data is damaged or incomplete, these are the bytes before the damage.
    package static func raw(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8] {
        guard limit > 0, !bytes.isEmpty, bytes.count <= Int(UInt32.max), limit <= Int(UInt32.max) else { return [] }
        return [UInt8](unsafeUninitializedCapacity: limit) { output, filled in
            bytes.withUnsafeBufferPointer { input in
                filled = inflated(input, into: output)
            }
        }
    }

    private static func inflated(_ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>)
        -> Int
    {
        var stream = z_stream()
        guard inflateInit2_(&stream, rawWindow, version, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return 0 }
        defer { inflateEnd(&stream) }
        // zlib does not write to its input, although it declares the pointer as mutable.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        // With this flag, zlib writes all output that the input allows, even if the input is truncated.
        _ = inflate(&stream, Z_SYNC_FLUSH)
        return output.count - Int(stream.avail_out)
    }
}
