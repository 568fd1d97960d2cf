/// The mark of a container's folder: a file `format` beside a folder `objects`. A walk knows by it what is no input.
package struct ContainerMark: Decodable {
    package static let file = "format"
    package static let objects = "objects"
    /// The value of the key `format` in the file, a JSON object.
    package static let value = "sluice-container"

    private let format: String

    /// Whether the file has the mark of a container.
    package var isValid: Bool { format == Self.value }
}
