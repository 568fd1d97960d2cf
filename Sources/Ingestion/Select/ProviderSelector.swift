internal import GroupContainer
internal import Reading
internal import ShareModel
internal import Sniffing

/// Chooses a representation of a provider. It tries them in order, and chooses the first one that is whole, has content
/// and does not contradict its claims. An empty one is chosen only if no other has content.
struct ProviderSelector {
    let stager: Stager
    let opener: SourceOpener
    /// The text for a remedy in a receipt.
    let words: @Sendable (Remedy) -> String

    /// - Returns: what was tried and chosen, and the staged content if there is one.
    /// - Throws: if the container or the run fails. A failure of the source is part of the result.
    func select(_ provider: ItemProvider, index: Int) throws -> ProviderSelection {
        var trial = Trial()
        do {
            for candidate in Candidate.all(of: provider) {
                try trial.record(candidate, attempt(candidate, provider, &trial))
            }
        } catch {
            trial.discard()
            throw error
        }
        return trial.selection(of: provider, index: index)
    }

    private func attempt(_ candidate: Candidate, _ provider: ItemProvider, _ trial: inout Trial) throws -> Verdict {
        guard trial.chosen == nil else { return .passed }
        let claims = claims(of: candidate, provider)
        // A description may have thousands of empty texts, and each would be written into a file.
        if candidate.isEmptyText { return .failed(candidate.whyEmptyFails) }
        let staged: StagedContent
        do {
            staged = try stager.stage(candidate, claims: claims, opener: opener)
        } catch let error as ReadingError {
            // A reading that was cancelled says nothing about its source.
            try Task.checkCancellation()
            return .failed(error.text(words))
        }
        // The claims of a folder do not describe the tar that it is packed in. A link has its type from its form.
        // Usually the name fits, and nothing has to be looked up.
        let contradiction =
            staged.isBundle || candidate.form == .link || staged.identification.isNamedSo
            ? nil : Contradiction.plainlyContradicts(staged.identification.type, claims: claims)
        guard staged.object.size > 0 || mayBeEmpty(candidate, claims, contradiction) else {
            staged.object.discard()
            return .failed(contradiction ?? candidate.whyEmptyFails)
        }
        if staged.object.size == 0 { return .empty(staged, contradiction) }
        return contradiction.map { .contradicted(staged, $0) } ?? .chosen(staged)
    }

    /// Whether an empty representation can be intended. An empty text or link is not, nor an empty file that the sender
    /// declares as an image. A name declares nothing: a folder may hold an empty `report.pdf`, and to refuse it would
    /// fail each run over that folder.
    private func mayBeEmpty(_ candidate: Candidate, _ claims: TypeClaims, _ contradiction: String?) -> Bool {
        switch candidate.form {
        case .text, .link: false
        case .file: contradiction == nil || claims.declared == nil
        default: contradiction == nil
        }
    }

    private func claims(of candidate: Candidate, _ provider: ItemProvider) -> TypeClaims {
        let declared = candidate.declared.flatMap { DeclaredType($0).isNoClaimOfContent ? nil : $0 }
        // Claims use the safe name, because people and sinks see that one.
        let name = provider.suggestedName ?? candidate.fileName
        return TypeClaims(declared: declared, name: name.map(SafeName.make))
    }
}

extension Candidate {
    /// The name of the file or part that the candidate refers to; `nil` for other forms.
    var fileName: String? {
        switch content {
        case .file(let reference): try? reference.path().lastComponent?.string
        case .part(let part): part.path.lastComponent?.string
        case .bytes: nil
        }
    }

    fileprivate var whyEmptyFails: String { "\(Receipt.Attempt.nothing) a \(form.rawValue) should be" }

    /// The outcome of an attempt, behind the reason for the candidate's form.
    fileprivate func explained(_ outcome: String) -> String { why.map { "\($0): \(outcome)" } ?? outcome }
}

extension Receipt.Attempt {
    fileprivate static let nothing = "empty where"

    /// Whether it failed because it has no bytes.
    var isOfNothing: Bool { outcome == .failed && why.contains(Self.nothing) }
}

extension ItemProvider {
    /// The name of the first file that a representation refers to.
    fileprivate var fileName: String? { Candidate.all(of: self).lazy.compactMap(\.fileName).first }
}

/// The result of one attempt.
enum Verdict {
    case chosen(StagedContent)
    /// The content is whole but contradicts every claim. It stays in reserve while the others are tried.
    case contradicted(StagedContent, String)
    /// The content is whole and has no bytes; it may contradict its claims. It is used only if no other one has
    /// content.
    case empty(StagedContent, String?)
    case failed(String)
    /// Not tried: a better one was chosen before it.
    case passed
}

/// The state of a provider while the selector tries its candidates.
struct Trial {
    typealias Choice = (candidate: Candidate, content: StagedContent)

    private(set) var chosen: Choice?
    private var reserve: Choice?
    /// An empty choice, and the place of its attempt.
    private var empty: (choice: Choice, place: Int)?
    private var tried: [Receipt.Attempt] = []

    mutating func record(_ candidate: Candidate, _ verdict: Verdict) {
        switch verdict {
        case .chosen(let content):
            chosen = (candidate, content)
            note(candidate, .chosen, Self.text(content))
        case .contradicted(let content, let why):
            if reserve == nil { reserve = (candidate, content) } else { content.object.discard() }
            note(candidate, .contradicted, why)
        case .empty(let content, let contradiction):
            if contradiction == nil || empty == nil, !hasTrueEmpty {
                empty?.choice.content.object.discard()
                empty = ((candidate, content), tried.count)
            } else {
                content.object.discard()
            }
            note(
                candidate, contradiction == nil ? .failed : .contradicted, contradiction ?? candidate.whyEmptyFails)
        case .failed(let why): note(candidate, .failed, why)
        case .passed: note(candidate, .passed, "a better one was chosen")
        }
    }

    /// Whether there is an empty choice that does not contradict its claims.
    private var hasTrueEmpty: Bool { empty.map { tried[$0.place].outcome == .failed } ?? false }

    private static func text(_ content: StagedContent) -> String {
        let size = content.object.size
        return "\(content.identification.type), \(size == 1 ? "1 byte" : "\(size) bytes")"
    }

    private mutating func note(_ candidate: Candidate, _ outcome: Receipt.Attempt.Outcome, _ why: String) {
        tried.append(
            Receipt.Attempt(
                representation: candidate.index, form: candidate.form, declared: candidate.declared, outcome: outcome,
                why: candidate.explained(why)))
    }

    func discard() {
        chosen?.content.object.discard()
        reserve?.content.object.discard()
        empty?.choice.content.object.discard()
    }

    /// Ends the trial. Content that contradicts its claims is chosen if nothing better was found, so that it is not
    /// lost.
    mutating func selection(of provider: ItemProvider, index: Int) -> ProviderSelection {
        takeEmpty()
        if chosen != nil { reserve?.content.object.discard() }
        let choice = chosen ?? reserve
        let name =
            provider.suggestedName ?? choice?.candidate.fileName
            ?? choice.map { InventedName.of($0.content.identification.type) } ?? provider.fileName
        let safe = SafeName.make(name)
        var story = Receipt.Provider(index: index, name: safe, reason: reason(provider), tried: tried)
        story.suggestedName = safe == name ? nil : name
        if let choice {
            let identification = choice.content.identification
            story.outcome = .stored
            story.type = identification.type
            story.sha256 = choice.content.object.digest
            story.size = choice.content.object.size
            story.modified = choice.content.modified
            story.basis = identification.basis
            story.warnings = identification.warnings
            story.chosen = choice.candidate.index
        }
        return ProviderSelection(story: story, content: choice?.content, provider: provider)
    }

    /// Takes the empty content if no other was found, and discards it otherwise.
    private mutating func takeEmpty() {
        guard let (choice, place) = empty.take() else { return }
        guard chosen == nil, reserve == nil else { return choice.content.object.discard() }
        guard tried[place].outcome == .failed else {
            reserve = choice
            return
        }
        chosen = choice
        (tried[place].outcome, tried[place].why) = (.chosen, choice.candidate.explained(Self.text(choice.content)))
    }

    private func reason(_ provider: ItemProvider) -> String {
        if let chosen {
            if tried.first?.outcome == .chosen {
                return tried.count == 1
                    ? "the only one" : "the best of \(tried.count): \(chosen.candidate.form.rawValue)"
            }
            return "the first one that is whole and what it claims to be"
        }
        if reserve != nil { return "contradicts its claims, but no other one is better; kept as what it is" }
        if provider.representations.isEmpty { return "it has no representation; the sender shared only a name" }
        return tried.count == 1 ? (tried.first?.why ?? "") : "none of its \(tried.count) representations could be used"
    }
}

/// A provider after selection. A class, because the composer goes through selections again and again.
final class ProviderSelection {
    let story: Receipt.Provider
    /// `nil` if no representation could be staged.
    let content: StagedContent?
    let provider: ItemProvider

    init(story: Receipt.Provider, content: StagedContent?, provider: ItemProvider) {
        self.story = story
        self.content = content
        self.provider = provider
    }
}
