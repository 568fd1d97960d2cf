extension Unicode.Scalar {
    /// Whether the scalar is a letter or a digit of any script, as the tokenizer of the search index has it.
    var isOfWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
