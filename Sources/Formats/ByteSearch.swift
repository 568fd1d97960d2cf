/// Finds a short run of bytes in a bounded stretch.
public enum ByteSearch {
    /// Where `needle` first occurs, as an index of `bytes`. An empty needle is nowhere.
    public static func first(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        place(of: needle, in: bytes) { $0 }
    }

    /// Where `needle` last occurs, as an index of `bytes`. An empty needle is nowhere.
    public static func last(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        let end = bytes.count - needle.count
        return place(of: needle, in: bytes) { end - $0 }
    }

    /// - Parameter position: the places in the order in which they are tried, counted from the beginning.
    private static func place(of needle: [UInt8], in bytes: ArraySlice<UInt8>, position: (Int) -> Int) -> Int? {
        guard let first = needle.first, bytes.count >= needle.count else { return nil }
        return bytes.withUnsafeBufferPointer { buffer in
            for number in 0...buffer.count - needle.count {
                let place = position(number)
                if buffer[place] == first, buffer[place..<place + needle.count].elementsEqual(needle) {
                    return bytes.startIndex + place
                }
            }
            return nil
        }
    }
}
