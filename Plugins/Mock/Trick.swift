import Glibc
import SinkKit

/// The misbehaviors with files and metadata.
struct Trick {
    let options: MockOptions
    let delivery: Delivery

    private var out: String { delivery.out }

    /// Misbehaves and answers; `false` if the behavior is another one, or still needs the correct answer.
    func play() throws -> Bool {
        switch options.behavior {
        case .metadataMany: try answer(metadata: ["many": .array(Array(repeating: 1, count: 16_384))])
        case .metadataDeep: try answer(metadata: (0..<40).reduce("deep") { inner, _ in ["a": inner] })
        case .metadataLarge: try answer(metadata: ["a": .string(String(repeating: "x", count: 300 << 10))])
        case .metadataGrowing: answerGrowing()
        case .metadataList: try answer(metadata: ["a", "list"])
        case .metadataSecret: try answer(metadata: ["secrets": .array(options.secrets.map { .string($0) })])
        case .productLink:
            symlink("/etc/passwd", out + "/link")
            try answer(product: "link")
        case .productUpward: try answer(product: options.values.first ?? "../in/0")
        case .productAbsolute: try answer(product: "/etc/passwd")
        case .productFIFO:
            mkfifo(out + "/fifo", 0o600)
            try answer(product: "fifo")
        case .productFolder:
            mkdir(out + "/folder", 0o700)
            try answer(product: "folder")
        case .productMissing: try answer(product: "nothing")
        case .productHuge:
            try MockFile.writeHole(out + "/huge", bytes: 256 << 20 + 1)
            try answer(product: "huge")
        case .productGrowing: try growProducts()
        case .productWithoutType:
            try MockFile.write(out + "/plain", [1])
            try answer(product: "plain", type: "a picture")
        default: return try meddle()
        }
        return true
    }

    /// Misbehaves in a way that goes with the correct answer.
    private func meddle() throws -> Bool {
        switch options.behavior {
        case .fillDisk:
            for number in 0..<(options.number(0) ?? 1_500) { try MockFile.write(out + "/\(number)", [1]) }
        case .changeContent:
            guard let path = delivery.parts.first?.path else { return false }
            chmod(path, 0o600)
            try MockFile.write(path, Array("another".utf8))
        case .writeElsewhere: try MockFile.write(delivery.out + "/../mock-was-here", [1])
        case .tripsOverItself: try trip()
        default: break
        }
        return false
    }

    /// Marks the key beside the program while it works, and fails if it finds an old mark.
    private func trip() throws {
        let mark = CommandLine.arguments[0] + "-mark-" + delivery.key.filter { $0 != "/" }
        if MockFile.exists(mark) {
            try Wire.send(.fail(.init(id: delivery.id, class: .permanent, why: "another process has it already")))
            exit(5)
        }
        // In the sandbox, the folder of the program is read-only, so this behavior shows no fault there.
        try? MockFile.write(mark, [])
        // Reports progress, so that a test can kill the process while the mark exists. The suite's check of kills has a
        // key of its own; a busy machine may take seconds until it kills.
        try Wire.send(.progress(.init(id: delivery.id)))
        if delivery.key.hasSuffix(":killed") { poll(nil, 0, 30_000) }
        unlink(mark)
    }

    /// Copying the first product takes a moment, in which all others become 200 times as large.
    private func growProducts() throws {
        let names = (0..<40).map { "p\($0)" }
        for name in names { try MockFile.write(out + "/" + name, [1]) }
        try MockFile.writeHole(out + "/p0", bytes: 64 << 20)
        let products = names.map { Product(path: $0, role: "blob", type: "application/octet-stream") }
        try Wire.send(.done(.init(id: delivery.id, status: .delivered, products: products)))
        for name in names.dropFirst() { truncate(out + "/" + name, 200 << 20) }
    }

    private func answer(metadata: JSONValue) throws {
        try Wire.send(.done(.init(id: delivery.id, status: .delivered, metadata: metadata)))
    }

    private func answer(product path: String, type: String = "text/plain") throws {
        let product = Product(path: path, role: "text", type: type)
        try Wire.send(.done(.init(id: delivery.id, status: .delivered, products: [product])))
    }

    /// These numbers are short here, but long in the form in which the host writes them.
    private func answerGrowing() {
        let numbers = [String](repeating: "1e18", count: 16_000).joined(separator: ",")
        Wire.write(#"{"done":{"id":"\#(delivery.id)","status":"delivered","metadata":{"a":[\#(numbers)]}}}"#.utf8)
        Wire.write("\n".utf8)
    }
}
