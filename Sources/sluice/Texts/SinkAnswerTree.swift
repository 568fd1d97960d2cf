import Ingestion

/// A sink's answer as a tree.
struct SinkAnswerTree {
    let answer: SinkTrial.Answer

    var lines: [StyledLine] { Tree(head, details).lines }

    private var head: StyledLine {
        let type: StyledLine = answer.type.map { ": \($0.description)" } ?? ""
        return "\(name: answer.name ?? answer.source.name, .strong)\(type)"
    }

    private var details: [Tree] {
        if let why = answer.why { return [Tree("\("not delivered", .warning): \(why)")] }
        guard let delivery = answer.delivery else { return [] }
        // A trial has no container.
        let reasons = WhyText.lines(delivery.why ?? "", "")
        let why: StyledLine = reasons.first.map { ": \($0)" } ?? ""
        let outcome = Tree(
            "\(delivery.outcome.rawValue, delivery.outcome.style)\(why)",
            reasons.dropFirst().map { Tree("\($0)") } + MetadataText.lines(delivery.metadata).map { Tree($0) })
        let products = delivery.products.enumerated().map { index, product in
            let path: StyledLine = answer.kept.indices.contains(index) ? " → \(answer.kept[index])" : ""
            return Tree(
                "\(product.role): \(name: product.name), \(product.type.description), \(Units.bytes(product.size))\(path)"
            )
        }
        return [outcome] + products
    }
}
