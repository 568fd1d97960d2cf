import CAllocator

/// The system's allocator, as this process wants it.
enum Allocator {
    /// Bounds the memory of a run however long it is.
    ///
    /// glibc gives each thread a heap ("arena") of its own and takes what was freed in one for that one alone, so that
    /// packages, which are made on one thread and let go on another, leave holes in all of them (mallopt(3)). With two it
    /// is as quick, and the peak stays where it was after the first batches.
    static func prepare() {
        #if canImport(Glibc)
        mallopt(M_ARENA_MAX, 2)
        #endif
    }
}
