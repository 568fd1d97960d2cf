/// Suggests a known name for a mistyped one.
package enum NearestName {
    /// The known name with the fewest inserted, missing and replaced letters; `nil` if none is close.
    package static func of(_ name: String, among known: some Sequence<String>) -> String? {
        guard name.unicodeScalars.count <= longest else { return nil }
        // Sorted by name, so that the answer does not depend on the order of a set.
        let near = known.map { (name: $0, distance: distance(name, $0)) }.sorted { $0.name < $1.name }
        let reach = max(1, name.unicodeScalars.count / 3)
        return near.min { $0.distance < $1.distance }.flatMap { $0.distance <= reach ? $0.name : nil }
    }

    /// In Unicode scalars. A longer name is not a typing error.
    private static let longest = 64

    /// The Levenshtein distance, with one row of its table at a time.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.unicodeScalars)
        var row = Array(0...right.count)
        for (line, letter) in left.unicodeScalars.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
