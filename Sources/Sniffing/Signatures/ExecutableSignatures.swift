internal import ShareModel

/// Programs for virtual machines: Java classes (JVMS 4.1, and the versions of 4.1-A), Dalvik (`dex_format`),
/// WebAssembly 1.0 (5.5.16) and components, Pack200 (JSR 200), CPython's bytecode (`importlib`, the table of magic
/// numbers), and serialized Java objects (Object Serialization, 6.4.2).
///
/// ``ExecutableInspector`` recognizes native programs, and other tables have PalmOS and e-books.
enum ExecutableSignatures {
    static let all: [Signature] = [
        Signature("Java class", "application/java-vm", [0xCA, 0xFE, 0xBA, 0xBE]) { sample in
            // A fat Mach-O file has the number of its architectures at this place.
            sample.start.big(6, 2).isIn(45...120) && sample.start.big(8, 2) ?? 0 > 0
        },
        Signature("Pack200", "application/x-java-pack200", [0xCA, 0xFE, 0xD0, 0x0D]),
        Signature("Dalvik", "application/vnd.android.dex", "dex\n0") {
            $0.start.isPrintable(5, 2) && $0.start.big(7, 1) == 0
        },
        Signature("WebAssembly", "application/wasm", [0x00, 0x61, 0x73, 0x6D]) { sample in
            sample.start.little(4, 2).isIn(1...13) && sample.start.little(6, 2).isIn(0...1)
        },
        Signature("Python bytecode", "application/x-python-bytecode", at: 2, [0x0D, 0x0A]) { isBytecode($0.start) },
        Signature("serialized Java objects", "application/x-java-serialized-object", [0xAC, 0xED, 0x00, 0x05]) {
            sample in
            sample.start.big(4, 1).isIn(0x70...0x7E)
        },
    ]

    /// The magic number of a release, and a code object at the offset of that release. The number and the time precede
    /// it, since 3.3 also the size, and since 3.7 also the flags. The magic
    /// numbers before 3.0 are not ASCII; otherwise the first line of a text could match.
    private static func isBytecode(_ start: [UInt8]) -> Bool {
        guard let version = start.little(0, 2) else { return false }
        let place: Int
        switch version {
        case 20121, 20122, 50428, 50429, 50823, 50824, 60202, 60203, 60717, 60718, 62011...62211, 3000...3189: place = 8
        case 3190...3391: place = 12
        case 3392...3999: place = 16
        default: return false
        }
        return start.big(place, 1).map { $0 & 0x7F == 0x63 } ?? false
    }
}
