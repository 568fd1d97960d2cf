/// Finds a short sequence of bytes in a bounded range.
package enum ByteSearch {
    /// The index in `bytes` of the first occurrence of `needle`; `nil` for an empty needle.
    package static func first(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = needle.first, bytes.count >= needle.count else { return nil }
        return bytes.withUnsafeBufferPointer { buffer in
            for place in 0...buffer.count - needle.count {
                // Comparing the first byte alone is faster than comparing two sequences at every offset.
                if buffer[place] == first, buffer[place..<place + needle.count].elementsEqual(needle) {
                    return bytes.startIndex + place
                }
            }
            return nil
        }
    }

    /// The index in `bytes` of the last occurrence of `needle`; `nil` for an empty needle.
    package static func last(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let mark = needle.last else { return nil }
        return bytes.withUnsafeBytes { buffer in
            var end = buffer.count
            while end >= needle.count {
                // A whole tail is searched if its mark is missing, so most blocks are skipped at once.
                while end >= Block.scalarCount, !has(mark, buffer, from: end - Block.scalarCount) {
                    end -= Block.scalarCount
                }
                let start = max(end - Block.scalarCount, needle.count - 1)
                guard start < end else { return nil }
                for place in (start..<end).reversed() where buffer[place] == mark {
                    let first = place - (needle.count - 1)
                    if buffer[first...place].elementsEqual(needle) { return bytes.startIndex + first }
                }
                end = start
            }
            return nil
        }
    }

    /// Bytes that are compared at once.
    private typealias Block = SIMD32<UInt8>

    private static func has(_ byte: UInt8, _ buffer: UnsafeRawBufferPointer, from offset: Int) -> Bool {
        any(buffer.loadUnaligned(fromByteOffset: offset, as: Block.self) .== Block(repeating: byte))
    }
}
