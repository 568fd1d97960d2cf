import ContainerTools
import Files
import GroupContainer
import ShareModel
import SystemPackage
import Testing

/// Engines outside of the container's module keep its contracts.
@Suite struct MemoryEngineTests {
    private let folder: TestFolder
    private let objects: MemoryObjectStore
    private let queue = MemoryDeliveryQueue()
    private let catalog: MemoryCatalog

    init() throws {
        folder = try TestFolder()
        objects = MemoryObjectStore(folder: folder.path) { Digest(of: $0) }
        catalog = MemoryCatalog(queue: queue)
    }

    @Test func theStoreKeepsTheContract() throws {
        try checkObjectStore(objects)
        try checkReplacement(objects, tear: objects.tear)
        let source = try FileDescriptor.open(folder.write("source", "taken in two pieces"), .readOnly)
        try source.closeAfter { try checkTaking(objects, from: source, bytes: Array("taken in two pieces".utf8)) }
    }

    @Test func theCatalogKeepsTheContract() throws { try checkCatalog(catalog) }

    @Test func theCatalogKeepsTheContractOfDecisions() throws { try checkDecisions(catalog) }

    @Test func theCatalogKeepsTheContractOfRecognition() throws { try checkRecognition(catalog) }

    @Test func theCatalogKeepsTheContractOfGivenWords() throws { try checkGivenWords(catalog) }

    @Test func theCatalogKeepsTheContractOfPages() throws { try checkPages(catalog) }

    @Test func theCatalogKeepsTheContractOfCurrentPackages() throws { try checkCurrentPackages(catalog) }

    @Test func theCatalogKeepsTheContractOfSenders() throws { try checkSenders(catalog) }

    @Test func theCatalogKeepsTheContractOfTags() throws { try checkTags(catalog) }

    @Test func theCatalogKeepsTheContractOfSightings() throws { try checkSightings(catalog) }

    @Test func theCatalogKeepsTheContractOfHistories() throws { try checkHistories(catalog) }

    @Test func theQueueKeepsTheContract() throws { try checkDeliveryQueue(queue, catalog) }

    @Test func theBreakersKeepTheContract() throws { try checkCircuitBreakers(MemoryCircuitBreakers()) }

    /// None of the engines is a local one. The folder only has the locks.
    @Test func aContainerTakesAllEnginesFromOutside() throws {
        let container = try Container(
            root: folder["container"],
            engines: ContainerEngines(
                objects: objects, catalog: catalog, deliveries: queue, breakers: MemoryCircuitBreakers()))
        try store("one", in: container)
        try openDeliveries(container.catalog)
        try store("one", in: container)
        #expect(try container.catalog.receipt("a1").outcome == .accepted)
        try checkRests(container)
        #expect(throws: ContainerError.self, "there is no local container to repair") {
            try ContainerMaintenance(opening: folder["container"])
        }
    }

    /// A container with another object store takes a package in, and stores its content in that store.
    @Test func aContainerTakesAnotherObjectStore() throws {
        let local = try Container.open(at: folder["container"])
        let container = try Container.open(at: folder["container"], engines: withObjects)
        try store("one", in: container)
        try openDeliveries(container.catalog)
        #expect(try objects.size(Digest(of: "one")) == 3)
        #expect(try local.objects.size(Digest(of: "one")) == nil)
        try checkRests(container)
    }

    /// The local engines would report every object as lost, or remove what another engine needs.
    @Test func localEnginesRefuseAContainerOfOtherEngines() throws {
        let root = folder["container"]
        _ = try Container.open(at: root, engines: withObjects)
        for refused in [
            { _ = try Container.open(at: root) },
            { _ = try ContainerMaintenance(opening: root) },
            { _ = try ContainerMaintenance(reading: root) },
            { _ = try Librarian.update(root) { _, _ in true } },
        ] {
            #expect {
                try refused()
            } throws: { error in
                let error = error as? ContainerError
                return error?.code == .otherEngines && error?.message.contains("the objects of") == true
            }
        }
        _ = try Container.open(at: root, engines: withObjects)
        // The queue is another one from now on, too.
        _ = try Container.open(at: root) { local in
            var engines = try withObjects(local)
            (engines.catalog, engines.deliveries) = (catalog, queue)
            return engines
        }
        #expect(throws: ContainerError.self) { try Container.open(at: root, engines: withObjects) }
    }

    private func withObjects(_ local: ContainerEngines) throws -> ContainerEngines {
        var engines = local
        engines.objects = objects
        return engines
    }

    private func store(_ text: String, in container: Container) throws {
        let area = try container.objects.makeStagingArea()
        try container.withLock(.objects, .shared) { try container.store([area.stage(Array(text.utf8))]) }
    }
}
