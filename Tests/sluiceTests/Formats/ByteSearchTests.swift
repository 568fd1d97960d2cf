import Formats
import Testing

struct ByteSearchTests {
    @Test(
        arguments: [
            ("", "a", nil, nil), ("a", "", nil, nil), ("a", "a", 0, 0), ("aaaa", "aa", 0, 2), ("abcab", "ab", 0, 3),
            ("abcab", "abcabc", nil, nil), ("xxab", "ab", 2, 2), ("aab", "ab", 1, 1), ("abx", "bx", 1, 1),
        ] as [(String, String, Int?, Int?)])
    func findsTheFirstAndTheLast(_ text: String, _ needle: String, _ first: Int?, _ last: Int?) {
        let bytes = Array("--".utf8) + Array(text.utf8)
        let (slice, wanted) = (bytes[2...], Array(needle.utf8))
        #expect(ByteSearch.first(wanted, in: slice) == first.map { $0 + 2 })
        #expect(ByteSearch.last(wanted, in: slice) == last.map { $0 + 2 })
    }

    /// Few different bytes, so that needles often occur, overlap and almost occur.
    @Test(arguments: 0..<50)
    func agreesWithComparingEveryPlace(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<200).map { _ in UInt8.random(in: 0...2, using: &random) }
        for length in 1...6 {
            let needle = (0..<length).map { _ in UInt8.random(in: 0...2, using: &random) }
            let places = (0...bytes.count - length).filter { bytes[$0..<$0 + length].elementsEqual(needle) }
            #expect(ByteSearch.first(needle, in: bytes[...]) == places.first)
            #expect(ByteSearch.last(needle, in: bytes[...]) == places.last)
        }
    }
}
