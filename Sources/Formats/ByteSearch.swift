/// Finds a short run of bytes in a bounded stretch.
public enum ByteSearch {
    /// Where `needle` first occurs, as an index of `bytes`. An empty needle is nowhere.
    public static func first(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = needle.first, bytes.count >= needle.count else { return nil }
        let last = bytes.endIndex - needle.count
        return (bytes.startIndex...last).first { bytes[$0] == first && bytes[$0...].starts(with: needle) }
    }

    /// Where `needle` last occurs, as an index of `bytes`. An empty needle is nowhere.
    public static func last(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = needle.first, bytes.count >= needle.count else { return nil }
        let last = bytes.endIndex - needle.count
        return (bytes.startIndex...last).last { bytes[$0] == first && bytes[$0...].starts(with: needle) }
    }
}
