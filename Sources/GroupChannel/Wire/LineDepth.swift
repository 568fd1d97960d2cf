/// The nesting of a line of JSON.
enum LineDepth {
    /// Removes what lies deeper than a limit, so that the rest can be decoded without deep recursion.
    ///
    /// - Returns: the line without the content of the arrays and objects below the limit; `nil` if there are none.
    static func pruned(_ line: [UInt8], limit: Int) -> [UInt8]? {
        guard isDeeper(line, than: limit) else { return nil }
        var rest: [UInt8] = []
        walk(line) { byte, depth, _ in
            if depth <= limit { rest.append(byte) }
            return true
        }
        return rest
    }

    private static func isDeeper(_ line: [UInt8], than limit: Int) -> Bool {
        var isDeeper = false
        walk(line) { _, depth, opens in
            isDeeper = opens && depth >= limit
            return !isDeeper
        }
        return isDeeper
    }

    /// Calls `body` with each byte, the number of the arrays and objects around it, and whether it opens one. A bracket is not
    /// inside of itself.
    private static func walk(_ line: [UInt8], _ body: (UInt8, Int, Bool) -> Bool) {
        var (depth, isString, isEscaped) = (0, false, false)
        for byte in line {
            switch byte {
            case UInt8(ascii: "\"") where !isEscaped: isString.toggle()
            case UInt8(ascii: "]") where !isString, UInt8(ascii: "}") where !isString: depth -= 1
            default: break
            }
            let opens = !isString && (byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{"))
            guard body(byte, depth, opens) else { return }
            if opens { depth += 1 }
            isEscaped = isString && byte == UInt8(ascii: "\\") && !isEscaped
        }
    }
}
