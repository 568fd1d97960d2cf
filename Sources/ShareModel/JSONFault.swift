/// The first error in a text that is not JSON (RFC 8259), for the person who corrects it. Foundation's decoder does not
/// report the place.
public struct JSONFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int
    /// The error.
    public let what: String

    /// The largest depth of nested arrays and objects, the same as in Foundation's decoder.
    package static let depthLimit = 512

    /// The place and the error: `line 3, column 7: …`.
    public var description: String { "line \(line), column \(column): \(what)" }

    /// The first error; `nil` if the bytes are JSON.
    ///
    /// - Parameter values: the largest number of values in the document. Each value costs memory when it is decoded.
    package static func find(in bytes: [UInt8], values: Int = JSONValue.countLimit) -> JSONFault? {
        var reader = JSONReader(bytes, valueLimit: values, makesValues: false)
        do {
            _ = try reader.document()
            return nil
        } catch {
            return error
        }
    }
}
