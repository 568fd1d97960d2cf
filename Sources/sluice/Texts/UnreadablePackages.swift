import GroupContainer
import ShareModel

/// The packages that a listing leaves out because their records cannot be read. A warning names each.
struct UnreadablePackages {
    let console: Console
    let containerOption: StyledLine
    private(set) var count = 0

    init(console: Console, containerOption: StyledLine) {
        (self.console, self.containerOption) = (console, containerOption)
    }

    mutating func warn(_ error: ContainerError) {
        count += 1
        console.say("\("warning:", .warning) \(RemedyText.sentence(error, containerOption: containerOption))")
    }

    /// The status of the listing.
    var status: ExitStatus { count == 0 ? .success : .incomplete }
}
