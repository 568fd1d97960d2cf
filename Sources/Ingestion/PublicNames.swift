public import GroupContainer
public import Reading
public import ShareModel

// The words of the domain that the pipeline speaks in, for whoever imports this module alone.

/// The whole story of one package.
public typealias Receipt = ShareModel.Receipt
/// The last word of a run.
public typealias Summary = ShareModel.Summary
/// One delivery, as a receipt tells it.
public typealias DeliveryRecord = ShareModel.DeliveryRecord
/// A package in the container, in a line.
public typealias PackageEntry = ShareModel.PackageEntry
/// How a package ended.
public typealias PackageOutcome = ShareModel.PackageOutcome
/// What bytes are, and how that is known.
public typealias Identification = ShareModel.Identification
/// What others say of the bytes.
public typealias TypeClaims = ShareModel.TypeClaims
/// A word that a person gives packages.
public typealias PackageTag = GroupContainer.PackageTag
/// What a person names as an input: a path or a web address.
public typealias InputAddress = Reading.InputAddress
