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

    @Test func theEndOfASecretAtTheBeginningOfATailIsReplaced() {
        let redactor = Redactor(["0123456789abcdef"])
        #expect(redactor.redacted("6789abcdef was refused", isTail: true) == "*** was refused")
        #expect(redactor.redacted("6789abcdef was refused") == "6789abcdef was refused")
        #expect(redactor.redacted("def was refused", isTail: true) == "def was refused")
    }
}
