/// Finds a short sequence of bytes in a bounded range.
package enum ByteSearch {
    /// The index in `bytes` of the first occurrence of `needle`; `nil` for an empty needle.
    package static func first(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        place(of: needle, in: bytes) { $0 }
    }

    /// The index in `bytes` of the last occurrence of `needle`; `nil` for an empty needle.
    package static func last(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        let end = bytes.count - needle.count
        return place(of: needle, in: bytes) { end - $0 }
    }

    /// - Parameter position: maps the number of an attempt to the offset to try.
    private static func place(of needle: [UInt8], in bytes: ArraySlice<UInt8>, position: (Int) -> Int) -> Int? {
        guard let first = needle.first, bytes.count >= needle.count else { return nil }
        return bytes.withUnsafeBufferPointer { buffer in
            for number in 0...buffer.count - needle.count {
                let place = position(number)
                // Comparing the first byte alone is faster than comparing two sequences at every offset.
                if buffer[place] == first, buffer[place..<place + needle.count].elementsEqual(needle) {
                    return bytes.startIndex + place
                }
            }
            return nil
        }
    }
}
