/// An argument such as `-photos`, which a shell's `*` yields for a file of that name. ArgumentParser would take its letters
/// for flags, and print the help for an `h` among them.
struct UnknownFlags {
    let message: StyledLine

    /// The flags of one letter of all commands.
    private static let letters: Set<Character> = ["0", "h", "v"]

    /// `nil` if there is no such argument before `--`.
    init?(_ arguments: [String]) {
        if let command = arguments.first, RawArguments.hasMinusWords(command) { return nil }
        let flags = arguments.prefix { $0 != "--" }.first { argument in
            argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.count > 2
                && !argument.dropFirst().allSatisfy(Self.letters.contains)
        }
        guard let flags else { return nil }
        message = "\("sluice:", .bad) unknown option '\(name: flags)'; a file of that name is ./\(name: flags)"
    }
}
