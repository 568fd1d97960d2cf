/// The release of this program.
public enum Release {
    /// The version, by semantic versioning 2.0.
    public static let version = "0.1.0"
}
