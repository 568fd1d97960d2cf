internal import ShareModel

/// Measurements:
/// - HDF5 (file format 3.0, II.A: the superblock is at 0, 512, 1024, …) and HDF4, MATLAB (MAT-file format, level 5 and
///   7.3), NetCDF classic (appendix A)
/// - GRIB 1 and 2 (WMO FM 92), DICOM (PS3.10, 7.1), NIfTI-1 and 2, shapefiles (ESRI, 1998), LAS 1.4
/// - SAS (also transport files, TS-140), Stata (`dta`), SPSS (`sav`), ERDAS Imagine (HFA)
enum ScienceSignatures {
    static let all: [Signature] = [
        Signature("HDF5", "application/x-hdf5", hdf),
        Signature("MATLAB 7.3", "application/x-matlab-data", "MATLAB 7.3 MAT-file"),
        Signature("MATLAB 5", "application/x-matlab-data", "MATLAB 5.0 MAT-file") { sample in
            sample.start.has("IM", at: 126) || sample.start.has("MI", at: 126)
        },
        Signature("HDF5 behind a block", "application/x-hdf5", at: 512, hdf),
        Signature("HDF5 behind a block", "application/x-hdf5", at: 1024, hdf),
        Signature("HDF5 behind a block", "application/x-hdf5", at: 2048, hdf),
        Signature("HDF4", "application/x-hdf", [0x0E, 0x03, 0x13, 0x01]) { $0.start.big(4, 2).isIn(1...4096) },
        Signature("NetCDF", "application/x-netcdf", "CDF") { sample in
            [1, 2, 5].contains(sample.start.big(3, 1)) && (sample.start.isZero(8, 4) || sample.start.big(8, 4) == 10)
        },
        Signature("GRIB", "application/x-grib", "GRIB") { $0.start.big(7, 1).isIn(1...2) },
        Signature("DICOM", "application/dicom", at: 128, "DICM") {
            $0.start.little(132, 2) == 2 || $0.start.big(132, 2) == 2
        },
        Signature("NIfTI-1", "application/x-nifti", [0x5C, 0x01, 0, 0]) { isNIfTI($0.start) },
        Signature("NIfTI-1", "application/x-nifti", [0, 0, 0x01, 0x5C]) { isNIfTI($0.start) },
        Signature("NIfTI-2", "application/x-nifti", [0x1C, 0x02, 0, 0, 0x6E, 0x2B, 0x32, 0x00]),
        Signature("shapefile", "application/vnd.shp", [0, 0, 0x27, 0x0A]) {
            $0.start.little(28, 4) == 1000 && $0.start.isZero(4, 20)
        },
        // The highest bit of the format of points says that they are compressed.
        Signature("LAZ", "application/vnd.laszip", "LASF") { isPointCloud($0.start, isCompressed: true) },
        Signature("LAS", "application/vnd.las", "LASF") { isPointCloud($0.start, isCompressed: false) },
        Signature("FlatGeobuf", "application/vnd.flatgeobuf", "fgb") { sample in
            sample.start.big(3, 1).isIn(1...15) && sample.start.has("fgb", at: 4)
        },
        Signature("PMTiles", "application/vnd.pmtiles", "PMTiles") { $0.start.big(7, 1).isIn(1...15) },
        Signature("ASDF", "application/x-asdf", "#ASDF ", isText: true) { $0.start.has("#ASDF_STANDARD ", at: 12) },
        Signature("ZIM", "application/x-openzim", [0x5A, 0x49, 0x4D, 0x04]) { $0.start.little(4, 2).isIn(4...16) },
        Signature("miniSEED", "application/vnd.fdsn.mseed", at: 7, " ") { isSeismogram($0.start) },
        Signature(
            "SAS", "application/x-sas-data",
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xC2, 0xEA, 0x81, 0x60, 0xB3, 0x14, 0x11, 0xCF, 0xBD, 0x92]),
        Signature(
            "SAS catalog", "application/x-sas-catalog",
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xC2, 0xEA, 0x81, 0x63, 0xB3, 0x14, 0x11, 0xCF, 0xBD, 0x92]),
        Signature("SAS 6", "application/x-sas-data-v6", "SAS     ") {
            $0.start.hasControl(within: 64) && $0.start.isPrintable(8, 6)
        },
        Signature("ChemDraw", "chemical/x-cdx", "VjCD0100"),
        Signature("SPSS, portable", "application/x-spss-por", at: 40, "ASCII SPSS PORT FILE", isText: true),
        Signature("SAS transport", "application/x-sas-xport", "HEADER RECORD*******LIB", isText: true),
        Signature("ERDAS Imagine", "application/x-erdas-hfa", "EHFA_HEADER_TAG"),
        Signature("Stata", "application/x-stata-dta", "<stata_dta><header>"),
        Signature("Stata", "application/x-stata-dta", [0x71]) { isStata($0.start) },
        Signature("Stata", "application/x-stata-dta", [0x72]) { isStata($0.start) },
        Signature("Stata", "application/x-stata-dta", [0x73]) { isStata($0.start) },
        Signature("SPSS", "application/x-spss-sav", "$FL2@(#)") {
            $0.start.little(64, 4).isIn(2...3) || $0.start.big(64, 4).isIn(2...3)
        },
        Signature("SPSS", "application/x-spss-sav", "$FL3@(#)") {
            $0.start.little(64, 4).isIn(2...3) || $0.start.big(64, 4).isIn(2...3)
        },
    ]

    private static let hdf: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func isNIfTI(_ start: [UInt8]) -> Bool {
        start.has("n+1\u{0}", at: 344) || start.has("ni1\u{0}", at: 344)
    }

    /// The byte order, a mark that is always 1, padding, and a label that ends.
    private static func isStata(_ start: [UInt8]) -> Bool {
        start.big(1, 1).isIn(1...2) && start.big(2, 1) == 1 && start.big(3, 1) == 0 && start.count >= 109
    }

    /// The header of LAS 1.4: the version, the size of the header, and the format of points.
    private static func isPointCloud(_ start: [UInt8], isCompressed: Bool) -> Bool {
        start.big(24, 1) == 1 && start.little(94, 2).isIn(227...4096)
            && start.big(104, 1).map { ($0 & 0x80 != 0) == isCompressed } == true
    }

    /// The fixed header of data in SEED 2.4: a number of six digits, the quality, and a time in either order of bytes.
    private static func isSeismogram(_ start: [UInt8]) -> Bool {
        guard start.count >= 48, start[0..<6].allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x20 }),
            "DRQM".utf8.contains(start[6]),
            start.isPrintable(8, 12)
        else { return false }
        let big = (year: start.big(20, 2), day: start.big(22, 2))
        let little = (year: start.little(20, 2), day: start.little(22, 2))
        return [big, little].contains { $0.year.isIn(1900...2100) && $0.day.isIn(1...366) }
            && start.big(24, 1).isIn(0...23) && start.big(25, 1).isIn(0...59)
    }
}
