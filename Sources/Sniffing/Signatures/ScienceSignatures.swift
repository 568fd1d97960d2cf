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
        Signature("LAS", "application/x-asprs", "LASF") {
            $0.start.big(24, 1) == 1 && $0.start.little(94, 2).isIn(227...4096)
        },
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
}
