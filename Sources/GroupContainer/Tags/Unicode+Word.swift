extension Unicode.Scalar {
    /// Whether the scalar is a letter or a digit of any script, as the tokenizer `unicode61` of FTS5 has it: tags and the search
    /// agree on words.
    package var isOfWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
