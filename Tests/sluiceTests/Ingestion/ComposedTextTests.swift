import Foundation
import ShareModel
import Testing

/// The standard library's composed form has no documented call, so it is compared with Foundation's.
@Suite struct ComposedTextTests {
    @Test(arguments: [
        "", "plain", "u\u{308}ber", "über", "e\u{301}\u{323}", "\u{1112}\u{1161}\u{11AB}", "か\u{3099}", "\u{212B}",
        "\u{340}",
        "a\u{0}\u{300}", "\u{1F1E9}\u{1F1EA}\u{FE0F}", "\u{958}", "Ł\u{338}", "\u{FB1D}\u{5B4}",
    ])
    func textIsComposedAsByFoundation(_ text: String) {
        #expect(Array(text.composed.utf8) == Array(text.precomposedStringWithCanonicalMapping.utf8))
    }

    /// Each scalar alone, behind a letter that many combining ones join with, its parts, and those in another order. Among other
    /// marks, those that are new in Unicode have an order in one of the two alone.
    @Test func scalarsAreComposedAsByFoundation() {
        let forms: [(Unicode.Scalar) -> String] = [
            { String($0) }, { "e" + String($0) }, { String($0).decomposedStringWithCanonicalMapping },
            { scalar in
                var view = String.UnicodeScalarView()
                view.append(contentsOf: String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.reversed())
                return String(view)
            },
        ]
        let scalars = (0...0x2FFFF).compactMap(Unicode.Scalar.init)
        for (number, form) in forms.enumerated() {
            let different = scalars.filter { scalar in
                let text = form(scalar)
                return Array(text.composed.utf8) != Array(text.precomposedStringWithCanonicalMapping.utf8)
            }
            #expect(different.isEmpty, "form \(number): \(different.prefix(10).map { String($0.value, radix: 16) })")
        }
    }
}
