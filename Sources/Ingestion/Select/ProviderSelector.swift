internal import GroupContainer
internal import ShareModel
internal import Sniffing
internal import Unpacking

/// Chooses one representation for a provider by trying them: the first that arrives whole and is what it claims to be.
struct ProviderSelector {
    let stager: Stager
    let opener: SourceOpener

    /// The provider's story, and its content where it has one.
    ///
    /// - Throws: where the container or the run is at fault. A source's faults are told in the story.
    func select(_ provider: ItemProvider, index: Int) throws -> ProviderSelection {
        var trial = Trial()
        do {
            for candidate in Candidate.all(of: provider) {
                try trial.take(candidate, attempt(candidate, provider, &trial))
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
        let staged: StagedContent
        do {
            staged = try stager.stage(candidate, claims: claims, opener: opener)
        } catch let error as UnpackingError {
            return .failed(error.message)
        }
        let contradiction =
            staged.isBundle || candidate.form == .link
            ? nil : Contradiction.plainlyContradicts(staged.identification.type, claims: claims)
        guard staged.object.size > 0 || (contradiction == nil && candidate.form != .text && candidate.form != .link)
        else {
            staged.object.discard()
            return .failed(contradiction ?? "empty where a \(candidate.form.rawValue) should be")
        }
        return contradiction.map { .contradicted(staged, $0) } ?? .chosen(staged)
    }

    private func claims(of candidate: Candidate, _ provider: ItemProvider) -> TypeClaims {
        let declared = candidate.declared.flatMap { DeclaredType($0).isNoClaimOfContent ? nil : $0 }
        // The safe name, since it is the one that people and sinks will see.
        let name = provider.suggestedName ?? candidate.fileName
        return TypeClaims(declared: declared, name: name.map(SafeName.make))
    }
}

extension Candidate {
    /// The name of the file that is referred to, where one is.
    var fileName: String? {
        guard case .file(let reference) = content else { return nil }
        return try? reference.path().lastComponent?.string
    }
}

extension ItemProvider {
    /// The name of the first file that is referred to.
    fileprivate var fileName: String? { Candidate.all(of: self).lazy.compactMap(\.fileName).first }
}

/// What became of one candidate.
enum Verdict {
    case chosen(StagedContent)
    /// Whole, but plainly another thing than every claim: kept in reserve while others are tried.
    case contradicted(StagedContent, String)
    case failed(String)
    /// A better one was chosen before it.
    case passed
}

/// The state of a provider while its candidates are tried.
struct Trial {
    typealias Choice = (candidate: Candidate, content: StagedContent)

    private(set) var chosen: Choice?
    private var reserve: Choice?
    private var tried: [Receipt.Attempt] = []

    mutating func take(_ candidate: Candidate, _ verdict: Verdict) {
        switch verdict {
        case .chosen(let content):
            chosen = (candidate, content)
            tell(candidate, .chosen, "\(content.identification.type), \(content.object.size) bytes")
        case .contradicted(let content, let why):
            if reserve == nil { reserve = (candidate, content) } else { content.object.discard() }
            tell(candidate, .contradicted, why)
        case .failed(let why): tell(candidate, .failed, why)
        case .passed: tell(candidate, .passed, "a better one was chosen")
        }
    }

    private mutating func tell(_ candidate: Candidate, _ outcome: Receipt.Attempt.Outcome, _ why: String) {
        tried.append(
            Receipt.Attempt(
                representation: candidate.index, form: candidate.form, declared: candidate.declared, outcome: outcome,
                why: candidate.why.map { "\($0): \(why)" } ?? why))
    }

    func discard() {
        chosen?.content.object.discard()
        reserve?.content.object.discard()
    }

    /// Ends the trial. Where nothing better came, what contradicts its claims is kept rather than lost.
    func selection(of provider: ItemProvider, index: Int) -> ProviderSelection {
        if chosen != nil { reserve?.content.object.discard() }
        let choice = chosen ?? reserve
        let name =
            provider.suggestedName ?? choice?.candidate.fileName ?? choice?.content.defaultName ?? provider.fileName
        let safe = SafeName.make(name)
        var story = Receipt.Provider(index: index, name: safe, reason: reason(provider), tried: tried)
        story.suggestedName = safe == name ? nil : name
        if let choice {
            let identification = choice.content.identification
            story.outcome = .stored
            story.type = identification.type
            story.sha256 = choice.content.object.digest
            story.size = choice.content.object.size
            story.basis = identification.basis
            story.warnings = identification.warnings
            story.chosen = choice.candidate.index
        }
        return ProviderSelection(story: story, content: choice?.content, provider: provider)
    }

    private func reason(_ provider: ItemProvider) -> String {
        if let chosen {
            if tried.first?.outcome == .chosen {
                return tried.count == 1
                    ? "the only one" : "the best of \(tried.count): \(chosen.candidate.form.rawValue)"
            }
            return "the first that is whole and what it claims to be"
        }
        if reserve != nil { return "contradicts its claims, but nothing better came; kept as what it is" }
        if provider.representations.isEmpty { return "it has no representation; the sender shared a name alone" }
        return tried.count == 1 ? (tried.first?.why ?? "") : "none of its \(tried.count) representations could be had"
    }
}

/// A provider after selection.
struct ProviderSelection {
    var story: Receipt.Provider
    /// `nil` where nothing could be had.
    let content: StagedContent?
    let provider: ItemProvider
}

extension StagedContent {
    /// What content is called that nobody named.
    var defaultName: String {
        switch identification.type {
        case .uriList: "link"
        case .plainText: "text"
        default:
            switch ContentClass(of: identification.type) {
            case .binary, .other: "data"
            case let known: known.rawValue
            }
        }
    }
}
