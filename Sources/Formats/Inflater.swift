internal import CZlib

/// Unpacks deflated bytes (RFC 1951), as far as a limit.
enum Inflater {
    private static let version = ZLIB_VERSION
    /// Negative: no header of zlib's around the data.
    private static let rawWindow: Int32 = -15

    /// What the bytes unpack to: at most `limit`, and no more than stands before the first damage or cut.
    static func raw(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8] {
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
        // zlib does not write to its input; the pointer is only declared so.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        _ = inflate(&stream, Z_SYNC_FLUSH)
        return output.count - Int(stream.avail_out)
    }
}
