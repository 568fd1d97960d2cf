#ifndef CVIPS_H
#define CVIPS_H

#include <stdbool.h>
#include <stddef.h>

/// What a picture's header says.
typedef struct {
    /// Pixels, as stored: before the orientation is applied.
    int width;
    int height;
    /// EXIF's: 1 to 8.
    int orientation;
    /// Frames or pages; at least 1.
    int pages;
    /// Whether a thumbnail can be made while the pixels stream by, so that memory does not grow with their number.
    bool streams;
    /// `jpeg`, `png`, `gif`, `webp`, `tiff`, `heif` or `avif`; static.
    const char *format;
} CVipsHeader;

/// How a call ended.
typedef enum {
    CVipsDone = 0,
    /// The bytes are of no format whose reader libvips trusts with hostile input.
    CVipsNoReader,
    /// The reader gave up; the error buffer says why.
    CVipsFailed,
} CVipsOutcome;

/// Readies libvips for hostile pictures, once: only trusted readers, one thread, no cache.
CVipsOutcome cvips_start(const char *program, char *error, size_t error_size);

/// Reads a picture's header from a descriptor of a regular file, and no pixels.
CVipsOutcome cvips_header(int descriptor, CVipsHeader *header, char *error, size_t error_size);

/// Writes a thumbnail of the first frame or page, upright, in sRGB and without the picture's metadata, to
/// `jpeg_path`, or to `png_path` where the picture has transparency, as `*is_png` then says.
///
/// The picture is fitted into a square of `side` pixels; a smaller one is not enlarged. With `strict` a picture whose
/// pixels are damaged or cut off is a failure; without, what can be read is used.
CVipsOutcome cvips_thumbnail(
    int descriptor, int side, bool strict, const char *jpeg_path, const char *png_path, bool *is_png, char *error,
    size_t error_size);

#endif
