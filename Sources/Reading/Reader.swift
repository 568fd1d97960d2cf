package import Files
package import ShareModel
package import SystemPackage

/// Recognizes one kind of input: a plain file, a share folder, a bag, later a mail or an archive.
///
/// The walk offers each file and folder to the readers in the order of ``Readers``. The first one that knows the input
/// decides. A folder that no reader knows is walked.
package protocol Reader: Sendable {
    /// Unique in a list of readers.
    var name: String { get }
    /// The kind of source in a receipt when ``read(_:_:)`` throws.
    var kind: PackageSource.Kind { get }
    /// The reader itself if it can also open a container inside of another one. A cast that fails makes the runtime look through
    /// all types of the program.
    var asContainerReader: (any ContainerReader)? { get }

    /// Recognizes the input, and loads no content.
    ///
    /// - Returns: `nil` if another kind of input has this name and these bytes.
    /// - Throws: if the input is of this reader's kind and broken. The receipt records the error, and the run goes on.
    func read(_ input: NamedInput, _ context: ReadingContext) throws(ReadingError) -> ReaderResult?
}

extension Reader {
    package var asContainerReader: (any ContainerReader)? { nil }
}

/// A file or folder that the user named or the walk found. It is never a link, a device, a FIFO or a socket.
package struct NamedInput {
    /// The folder that the input lies in, open.
    package let parent: Directory
    /// Whether the input is a folder; otherwise it is a regular file.
    package let isFolder: Bool
    /// The folder that ``path`` starts from. No link is followed below it.
    package let root: FilePath
    /// The input's path below ``root``, without links.
    package let path: FilePath
    /// The path as the user knows it. Its last component is the name that a reader goes by.
    package let named: FilePath
    /// Whether the user named the input; otherwise a walk found it.
    package let isNamedByUser: Bool
    /// The input's stamp when its folder was read.
    package let stamp: SourceStamp?
    /// The manifest of the bag that contains the input; `nil` outside of bags.
    package let bag: BagManifest?
    /// The entries of the same folder; `nil` if the user named the input.
    package var siblings: Siblings?
    /// The rules of the walk that leads to the input, or that would begin with it; `nil` for a file.
    let rules: WalkRules?

    /// The last component of ``named``.
    package var name: FilePath.Component? { named.lastComponent }

    /// The source of a package that consists of this input.
    ///
    /// - Parameter folder: the folder with the package's own files; by default the one that the input's path starts
    ///   from.
    package func source(_ kind: PackageSource.Kind, folder: FilePath? = nil) -> PackageSource {
        PackageSource(
            kind: kind, path: named, folder: folder ?? root, root: root, stamp: isFolder ? nil : stamp, bag: bag)
    }

    /// A pass over the input, which could come in as one document; `nil` for a file.
    func survey() -> FolderSurvey? {
        guard let rules, let name = path.lastComponent else { return nil }
        // A walk that begins with the input counts paths from there.
        return FolderSurvey(name, below: parent, at: isNamedByUser ? FilePath() : path, rules)
    }
}

/// The rules that a reader must keep.
package struct ReadingContext {
    package let limits: ReadingLimits
    /// All readers of the run. A container reader uses them for containers inside of containers.
    package let readers: Readers
    /// Whether the run leaves out what changed a moment ago.
    package var settles = false
}

/// A reader's result for an input that it knows.
package enum ReaderResult {
    /// One package. `parts` opens its container if a representation is a part of one.
    case package(SharePackage, parts: (any PartSource)? = nil)
    /// A folder of inputs. Its entries are offered to the readers, and each one gets the manifest `bag`.
    /// After the last entry, the walk reads `then`.
    case folder(FilePath, bag: BagManifest?, then: (any InputSequence)? = nil)
    /// Several packages, such as the mails of a mailbox.
    case inputs(any InputSequence)
    /// Nothing of its own: the package of another entry of the same folder has it.
    case partOfAnother
}

/// Inputs that a reader yields one by one.
package protocol InputSequence {
    /// The next input; `nil` at the end.
    mutating func next() -> ReadInput?
}

/// One input of a run, as its reader recognized it. Indirect, because a receipt would make every copy large.
package indirect enum ReadInput: Sendable {
    /// A package, with its container if a representation is a part of one.
    case package(SharePackage, parts: (any PartSource)? = nil)
    /// An input that is left out, with the reason: hidden, still being written, a link, a device.
    case skipped(PackageSource, why: String)
    /// A package of a bag that failed before the bag was written: all that is there of it is its receipt.
    case recorded(PackageSource, Receipt)
    /// A path that the user named and that does not exist, a line of a list that names no input, or the rest of a list
    /// that cannot be read.
    case unusable(PackageSource, ReadingError)
    /// An input that is broken or cannot be read.
    case failed(PackageSource, ReadingError)
}
