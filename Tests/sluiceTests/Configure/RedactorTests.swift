import ShareModel
import Testing

@testable import Ingestion
@testable import SinkHost

@Suite struct RedactorTests {
    @Test(arguments: [
        (["s3cret"], "token=s3cret, s3cret!", "token=***, ***!"), (["s3cret"], "s3cre t", "s3cre t"),
        ([], "as it was", "as it was"), ([""], "as it was", "as it was"),
        // One secret begins the other. No part of either may stay.
        (["abc", "abcdef"], "abcdef abc", "*** ***"), (["a\"b\\c"], #"{"t":"a\"b\\c"} a"b\c"#, #"{"t":"***"} ***"#),
        (["first line\nsecond line"], "got second line", "got ***"), (["é"], "é e\u{301}", "*** e\u{301}"),
    ])
    func secretsAreReplaced(_ secrets: [String], _ text: String, _ clean: String) {
        #expect(Array(Redactor(secrets).redacted(text).utf8) == Array(clean.utf8))
    }

    /// The forms of one string by different JSON encoders.
    @Test(arguments: [
        "k/é\u{1F600}\u{1B}", #"k/é😀\u001b"#, #"k\/é😀\u001B"#, #"k/\u00e9\ud83d\ude00\u001b"#,
        #"k\/\u00e9\ud83d\ude00\u001b"#, #"k/\u00E9\uD83D\uDE00\u001B"#, #"k\/\u00E9\uD83D\uDE00\u001B"#,
    ])
    func eachFormInJSONIsReplaced(_ form: String) {
        let redactor = Redactor(["k/é\u{1F600}\u{1B}"])
        #expect(redactor.redacted("token \(form)!") == "token ***!")
        #expect(redactor.finds(in: "token \(form)!"))
    }

    @Test func thePiecesOfASecretAtTheEndsOfACutTextAreReplaced() {
        let redactor = Redactor(["0123456789abcdef"])
        #expect(redactor.redacted("6789abcdef was refused", isCut: true) == "*** was refused")
        #expect(redactor.redacted("6789abcdef was refused") == "6789abcdef was refused")
        #expect(redactor.redacted("def was refused", isCut: true) == "def was refused")
        #expect(redactor.redacted("refused: 0123456789", isCut: true) == "refused: ***")
        #expect(redactor.redacted("refused: 0123456789") == "refused: 0123456789")
        #expect(redactor.redacted("refused: 01234", isCut: true) == "refused: 01234")
    }

    /// The tail of a log is shorter than a long secret, so it may lie within the secret.
    @Test func aTextWithinASecretIsReplaced() {
        let secret = (0..<2_000).map { String($0) }.joined(separator: "-")
        #expect(Redactor([secret]).redacted(String(secret.dropFirst(999).prefix(2_000)), isCut: true) == "***")
    }

    @Test(
        arguments: [
            ("my s3cret-token", true), (["a": ["b", ["s3cret-token"]]], true), (["s3cret-token!": 1], true),
            (["a": "s3cret", "b": "token"], false), (7, false),
        ] as [(JSONValue, Bool)])
    func secretsInAnswersAreFound(_ value: JSONValue, _ isFound: Bool) {
        #expect(Redactor(["s3cret-token"]).finds(in: value) == isFound)
    }

    /// Many keys begin with the same line, so an answer may contain it.
    @Test func oneLineOfASecretInAnAnswerIsNoSecret() {
        #expect(!Redactor(["-----BEGIN KEY-----\nAbC"]).finds(in: "-----BEGIN KEY-----"))
    }
}
