/// The syntax tree of a regular expression.
indirect enum PatternNode: Sendable {
    case take(SchemaPattern.Scalars)
    case start
    case end
    case sequence([PatternNode])
    case choice([PatternNode])
    /// At least `least` times and at most `most` times; any number of times if `most` is `nil`.
    case repeated(PatternNode, least: Int, most: Int?)
}

/// Compiles a syntax tree to the steps of ``SchemaPattern``.
struct SchemaPatternCompiler {
    private var steps: [SchemaPattern.Step] = []
    /// The number of visited nodes. A repeated empty group makes no step, but still takes time.
    private var work = 0

    static func steps(of node: PatternNode) throws -> [SchemaPattern.Step] {
        var compiler = SchemaPatternCompiler()
        try compiler.add(node)
        return compiler.steps
    }

    private mutating func add(_ node: PatternNode) throws {
        work += 1
        guard max(steps.count, work) <= SchemaPattern.maximumSteps else {
            throw JSONSchema.Broken(
                "a pattern compiles to more than \(SchemaPattern.maximumSteps) steps; write a shorter one")
        }
        switch node {
        case .take(let set): steps.append(.take(set))
        case .start: steps.append(.start)
        case .end: steps.append(.end)
        case .sequence(let nodes): for node in nodes { try add(node) }
        case .choice(let nodes): try add(choice: nodes[...])
        case .repeated(let node, let least, let most):
            for _ in 0..<least { try add(node) }
            if let most {
                // The parser refuses a count whose end is below its beginning, so this range is valid.
                for _ in least..<most { try addOptional(node) }
            } else {
                try addAnyNumber(of: node)
            }
        }
    }

    private mutating func add(choice nodes: ArraySlice<PatternNode>) throws {
        guard let first = nodes.first else { return }
        guard nodes.count > 1 else { return try add(first) }
        let fork = reserve()
        try add(first)
        let jump = reserve()
        steps[fork] = .fork(fork + 1, steps.count)
        try add(choice: nodes.dropFirst())
        steps[jump] = .jump(steps.count)
    }

    private mutating func addOptional(_ node: PatternNode) throws {
        let fork = reserve()
        try add(node)
        steps[fork] = .fork(fork + 1, steps.count)
    }

    private mutating func addAnyNumber(of node: PatternNode) throws {
        let fork = reserve()
        try add(node)
        steps.append(.jump(fork))
        steps[fork] = .fork(fork + 1, steps.count)
    }

    /// Makes room for a fork or jump whose target is not known yet.
    private mutating func reserve() -> Int {
        steps.append(.jump(0))
        return steps.count - 1
    }
}
