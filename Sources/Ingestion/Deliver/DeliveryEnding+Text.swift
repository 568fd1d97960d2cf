internal import GroupContainer
internal import ShareModel
internal import SystemPackage

extension DeliveryEnding {
    /// The maximum number of bytes that are read of each text product.
    static let textLimit = 64 << 10

    /// The ending with the text of its products. A search finds the package by it.
    func withText(from objects: any ObjectStore) throws -> DeliveryEnding {
        var ending = self
        ending.text = try record.text(from: objects)
        return ending
    }
}

extension DeliveryRecord {
    /// The beginnings of the sink's text products, which the container has.
    func text(from objects: any ObjectStore) throws -> String {
        try products.filter { $0.type.type == "text" }.map { product in
            let file = try objects.open(product.sha256)
            return try file.closeAfter {
                try Self.text(file, size: min(Int(product.size), DeliveryEnding.textLimit))
            }
        }.joined(separator: "\n")
    }

    private static func text(_ file: FileDescriptor, size: Int) throws -> String {
        let bytes = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let read = try file.read(fromAbsoluteOffset: Int64(count), into: rest)
                guard read > 0 else { return }
                count += read
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
