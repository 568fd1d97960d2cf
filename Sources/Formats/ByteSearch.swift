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
        guard !needle.isEmpty else { return nil }
        // The algorithm of Horspool, from the end: a byte that does not occur in the needle cannot lie in any occurrence,
        // so the next attempt is before it. A whole tail is searched if its mark is missing.
        var steps = [Int](repeating: needle.count, count: 256)
        for place in needle.indices.dropFirst().reversed() { steps[Int(needle[place])] = place }
        return bytes.withUnsafeBufferPointer { buffer in
            var place = buffer.count - needle.count
            while place >= 0 {
                if buffer[place] == needle[0], buffer[place..<place + needle.count].elementsEqual(needle) {
                    return bytes.startIndex + place
                }
                place -= steps[Int(buffer[place])]
            }
            return nil
        }
    }
}
