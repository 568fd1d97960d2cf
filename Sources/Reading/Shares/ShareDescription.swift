package import ShareModel
package import SystemPackage

/// Reads a share's description, `share.json`, format version 1. See <doc:SharePackageFormat>.
enum ShareDescription {
    static let fileName: FilePath.Component = "share.json"
    static let version: Int64 = 1

    /// The package of a `.share` folder.
    static func package(_ source: PackageSource, _ folder: FilePath, limits: ReadingLimits) throws(ReadingError)
        -> SharePackage
    {
        let name = folder.appending(fileName).string
        let opener = SourceOpener(folder: folder, root: source.root, bag: source.bag, limits: limits)
        let file = try open(in: folder, named: name, with: opener)
        return try package(
            try contents(of: file, named: name, limits: limits), named: name, source: source, limits: limits)
    }

    private static func open(in folder: FilePath, named name: String, with opener: SourceOpener)
        throws(ReadingError) -> OpenedFile
    {
        do throws(ReadingError) {
            let reference = FileReference.path(FilePath(root: nil, components: fileName))
            if case .file(let file) = try opener.open(reference) { return file }
        } catch {
            guard error.code == .missing else { throw error }
            throw ReadingError(
                .missing, "\(folder) has no \(fileName); write one, or give the folder a name without '.share'")
        }
        throw ReadingError(.refused, "\(name) is a folder; a share's description is a file")
    }

    /// The package of a description's bytes. Errors call them `name`.
    static func package(_ bytes: [UInt8], named name: String, source: PackageSource, limits: ReadingLimits)
        throws(ReadingError) -> SharePackage
    {
        guard bytes.count <= limits.descriptionBytes else { throw .tooLong(name, limits) }
        let json: JSONValue
        do throws(JSONFault) {
            json = try JSONValue(json: bytes, values: limits.descriptionValues)
        } catch {
            throw ReadingError(.malformed, "\(name) is not JSON, \(error); mend it and run again")
        }
        var parser = ShareParser(file: name, limits: limits)
        return try parser.package(json, source: source)
    }

    private static func contents(of file: borrowing OpenedFile, named name: String, limits: ReadingLimits)
        throws(ReadingError) -> [UInt8]
    {
        guard file.size <= limits.descriptionBytes else { throw .tooLong(name, limits) }
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try file.read(into: buffer)
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
            // A file can grow, and some file systems state a size of 0.
            guard bytes.count <= limits.descriptionBytes else { throw .tooLong(name, limits) }
        }
        try file.checkUnchanged(afterReading: Int64(bytes.count))
        try file.payload?.check(bytes)
        return bytes
    }
}

extension ReadInput {
    /// The package that the folder of a share describes, or the fault of its description.
    package static func described(share folder: FilePath, _ source: PackageSource, limits: ReadingLimits) -> ReadInput {
        do {
            return .package(try ShareDescription.package(source, folder, limits: limits))
        } catch {
            return .failed(source, error)
        }
    }

    /// The package that a description describes, or the description's fault. Errors call it `name`.
    package static func described(
        _ description: [UInt8], named name: String, _ source: PackageSource, limits: ReadingLimits
    ) -> ReadInput {
        do {
            return .package(try ShareDescription.package(description, named: name, source: source, limits: limits))
        } catch {
            return .failed(source, error)
        }
    }
}

extension ReadingError {
    fileprivate static func tooLong(_ name: String, _ limits: ReadingLimits) -> ReadingError {
        ReadingError(
            .limit,
            "\(name) is longer than \(limits.descriptionBytes) bytes; put large content into files beside it")
    }
}
