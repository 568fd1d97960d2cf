/// Reads the first elements of a structure in DER or BER (X.690, 8.1), as far as its type depends on them.
enum DERHeader {
    /// The object identifier `1.2.840.113549.1.7`, the prefix of the CMS content types.
    private static let content: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]

    /// A sequence in a sequence. The inner one starts with version 3, or with a serial number and an algorithm. Behind the issuer
    /// is the sequence of two dates.
    static func isCertificate(_ start: [UInt8]) -> Bool {
        guard let body = signed(start) else { return false }
        var place = body
        if start.big(place, 1) == 0xA0 {
            guard start.big(place, 4) == 0xA003_0201, start.big(place + 4, 1).isIn(0...2) else { return false }
            place += 5
        }
        guard let serial = element(start, place, tag: 0x02), let length = serial.length, (1...64).contains(length),
            isAlgorithm(start, serial.value + length)
        else { return false }
        // The dates may lie behind the first bytes.
        return endOfIssuer(start, serial.value + length).flatMap { start.big($0, 1) }.map { $0 == 0x30 } ?? true
    }

    /// A sequence in a sequence. The inner one starts with version 2 or none, and an algorithm. Behind the issuer is a date (RFC 5280,
    /// section 5.1).
    static func isRevocationList(_ start: [UInt8]) -> Bool {
        guard let body = signed(start) else { return false }
        let place = start.big(body, 3) == 0x02_0101 ? body + 3 : body
        guard let end = endOfIssuer(start, place) else { return false }
        return [0x17, 0x18].contains(start.big(end, 1))
    }

    /// Where the content of a signed sequence begins.
    private static func signed(_ start: [UInt8]) -> Int? {
        guard let outer = element(start, 0, tag: 0x30), let body = element(start, outer.value, tag: 0x30),
            body.length < outer.length
        else { return nil }
        return body.value
    }

    /// Where the issuer behind an algorithm ends.
    private static func endOfIssuer(_ start: [UInt8], _ place: Int) -> Int? {
        guard isAlgorithm(start, place), let algorithm = element(start, place, tag: 0x30),
            let length = algorithm.length,
            let issuer = element(start, algorithm.value + length, tag: 0x30), let size = issuer.length
        else { return nil }
        return issuer.value + size
    }

    /// A sequence that begins with an object identifier.
    private static func isAlgorithm(_ start: [UInt8], _ place: Int) -> Bool {
        element(start, place, tag: 0x30).flatMap { element(start, $0.value, tag: 0x06) } != nil
    }

    /// A sequence of version 3 and CMS data.
    static func isPersonalStore(_ start: [UInt8]) -> Bool {
        guard let outer = element(start, 0, tag: 0x30), start.big(outer.value, 3) == 0x02_0103,
            let safe = element(start, outer.value + 3, tag: 0x30)
        else { return false }
        return isKind(start, at: safe.value, kinds: 1...2)
    }

    /// A sequence with the identifier of a CMS content type.
    static func isMessage(_ start: [UInt8], kind: Int) -> Bool {
        guard let outer = element(start, 0, tag: 0x30) else { return false }
        return isKind(start, at: outer.value, kinds: kind...kind)
    }

    /// A sequence with the identifier of a content type of S/MIME, `1.2.840.113549.1.9.16.1`: 9 is compressed data (RFC
    /// 3274), 31 is time stamped data (RFC 5544).
    static func isContent(_ start: [UInt8], kind: UInt8) -> Bool {
        guard let outer = element(start, 0, tag: 0x30) else { return false }
        return start.dropFirst(outer.value).starts(with: secure + [kind])
    }

    private static let secure: [UInt8] = [0x06, 0x0B, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x01]

    /// Signed data without its content: the encapsulated content has only its type.
    static func isDetached(_ start: [UInt8]) -> Bool {
        guard isMessage(start, kind: 2), let outer = element(start, 0, tag: 0x30),
            let wrapper = element(start, outer.value + content.count + 1, tag: 0xA0),
            let data = element(start, wrapper.value, tag: 0x30), let version = element(start, data.value, tag: 0x02),
            let digests = element(start, version.value + (version.length ?? 0), tag: 0x31), let length = digests.length,
            let inside = element(start, digests.value + length, tag: 0x30)
        else { return false }
        if let length = inside.length { return length == content.count + 1 }
        // X.690, 8.1.5: two zero bytes end a value of unknown length.
        return start.isZero(inside.value + content.count + 1, 2)
    }

    private static func isKind(_ start: [UInt8], at place: Int, kinds: ClosedRange<Int>) -> Bool {
        for (index, byte) in content.enumerated() where start.big(place + index, 1) != Int(byte) { return false }
        return start.big(place + content.count, 1).isIn(kinds)
    }

    /// The offset of an element's value, and its length. The length is `nil` if the value ends with a marker (8.1.3.6).
    private static func element(_ start: [UInt8], _ place: Int, tag: Int) -> (value: Int, length: Int?)? {
        guard start.big(place, 1) == tag, let first = start.big(place + 1, 1) else { return nil }
        if first < 0x80 { return (place + 2, first) }
        if first == 0x80 { return (place + 2, nil) }
        let width = first & 0x7F
        guard width <= 4, let length = start.big(place + 2, width) else { return nil }
        return (place + 2 + width, length)
    }
}

extension Int? {
    /// An element with a known length must be shorter than the one around it. An unknown length passes.
    fileprivate static func < (left: Int?, right: Int?) -> Bool {
        guard let left, let right else { return true }
        return left < right
    }
}
