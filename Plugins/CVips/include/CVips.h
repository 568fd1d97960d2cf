#ifndef CVIPS_H
#define CVIPS_H

#include <stdbool.h>
#include <stddef.h>

/// The values in a picture's header.
typedef struct {
    /// The stored size in pixels, before the orientation is applied.
    int width;
    int height;
    /// The EXIF orientation, 1 to 8.
    int orientation;
    /// The number of frames or pages; at least 1.
    int pages;
    /// Whether the reader streams the pixels, so that memory does not grow with their number.
    bool streams;
    /// Whether the colors are those of sRGB, or gray, and no profile says more.
    bool is_plain_srgb;
    /// `jpeg`, `png`, `gif`, `webp`, `tiff`, `heif` or `avif`; a static string.
    const char *format;
} CVipsHeader;

/// The result of a call.
typedef enum {
    CVipsDone = 0,
    /// Libvips has no reader for the format that it trusts with hostile input.
    CVipsNoReader,
    /// The reader failed; the error buffer has the reason.
    CVipsFailed,
} CVipsOutcome;

/// Initializes libvips for hostile pictures, once in the process: only trusted readers, one thread, no cache.
CVipsOutcome cvips_start(const char *program, char *error, size_t error_size);

/// Reads the header of a picture, but no pixels. The descriptor must be that of a regular file.
CVipsOutcome cvips_header(int descriptor, CVipsHeader *header, char *error, size_t error_size);

/// Writes a thumbnail of the first frame or page, upright, in sRGB and without the picture's metadata.
///
/// The thumbnail is a JPEG at `jpeg_path`. If the picture has transparency, it is a PNG at `png_path` instead, and
/// `*is_png` is true. It fits into a square of `side` pixels; a smaller picture is not enlarged. With `strict`, damaged
/// or truncated pixels are an error; otherwise the thumbnail shows the readable part. `is_plain_srgb` is that of the
/// picture's header. With `whole`, the picture itself is decoded, and not a smaller one inside of the file.
CVipsOutcome cvips_thumbnail(
    int descriptor, int side, bool is_plain_srgb, bool strict, bool whole, const char *jpeg_path, const char *png_path,
    bool *is_png, char *error, size_t error_size);

/// Copies the picture's block of EXIF, without the mark before it. Returns its size, which is 0 if there is none, or if it is
/// larger than `size`.
size_t cvips_exif(int descriptor, void *buffer, size_t size);

/// Writes the bare pixels of the first frame or page to `path`: red, green and blue of 8 bits, row by row from the top.
///
/// `width` and `height` are those of the box that the picture must fit into, and then those of the picture. A smaller
/// picture is not enlarged. Transparency becomes white. If pixels are damaged, the readable part is written.
CVipsOutcome cvips_pixels(
    int descriptor, int *width, int *height, const char *path, char *error, size_t error_size);

#endif
