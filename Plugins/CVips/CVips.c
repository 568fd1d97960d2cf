#include "CVips.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

// The JPEG quality of thumbnails.
static const int jpeg_quality = 80;

// The trusted readers of pictures, by their libvips nicknames. Libvips trusts others too, but they do not read
// pictures: matrixload, for example, would accept any text that starts with two numbers.
static const struct {
    const char *loader;
    const char *format;
} formats[] = {
    {"jpegload_source", "jpeg"}, {"pngload_source", "png"},   {"gifload_source", "gif"},
    {"webpload_source", "webp"}, {"tiffload_source", "tiff"}, {"heifload_source", "heif"},
};

static CVipsOutcome fail(char *error, size_t error_size) {
    g_strlcpy(error, vips_error_buffer(), error_size);
    g_strchomp(error);
    vips_error_clear();
    return CVipsFailed;
}

CVipsOutcome cvips_start(const char *program, char *error, size_t error_size) {
    // Without this, a truncated picture causes a warning for each of its rows.
    g_setenv("VIPS_WARNING", "0", TRUE);
    if (vips_init(program) != 0) {
        return fail(error, error_size);
    }
    vips_block_untrusted_set(TRUE);
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    return CVipsDone;
}

static VipsSource *source_of(int descriptor) {
    if (lseek(descriptor, 0, SEEK_SET) != 0) {
        vips_error_system(errno, "CVips", "the file cannot be rewound");
        return NULL;
    }
    return vips_source_new_from_descriptor(descriptor);
}

// The format, if a trusted reader recognizes the bytes; otherwise NULL.
static const char *format_of(VipsSource *source) {
    const char *loader = vips_foreign_find_load_source(source);
    const char *nickname = loader == NULL ? NULL : vips_nickname_find(g_type_from_name(loader));
    for (size_t i = 0; nickname != NULL && i < G_N_ELEMENTS(formats); i++) {
        if (strcmp(nickname, formats[i].loader) == 0) {
            return formats[i].format;
        }
    }
    return NULL;
}

static bool is_av1(VipsImage *image) {
    const char *codec = NULL;
    return vips_image_get_typeof(image, "heif-compression") != 0 &&
           vips_image_get_string(image, "heif-compression", &codec) == 0 && strcmp(codec, "av1") == 0;
}

// Libvips decodes only sequential JPEG and non-interlaced PNG row by row. It holds all other pictures in memory.
static bool streams(VipsImage *image, const char *format) {
    if (strcmp(format, "jpeg") != 0 && strcmp(format, "png") != 0) {
        return false;
    }
    int scans = 0;
    bool has_scans = vips_image_get_typeof(image, "jpeg-multiscan") != 0 &&
                     vips_image_get_int(image, "jpeg-multiscan", &scans) == 0 && scans != 0;
    return !has_scans && vips_image_get_typeof(image, "interlaced") == 0;
}

static bool has_plain_srgb(VipsImage *image) {
    VipsInterpretation colors = vips_image_get_interpretation(image);
    return vips_image_get_typeof(image, VIPS_META_ICC_NAME) == 0 &&
           (colors == VIPS_INTERPRETATION_sRGB || colors == VIPS_INTERPRETATION_B_W);
}

// Opens a picture, and reads no pixels. After a failure, libvips' messages are there.
static CVipsOutcome open_picture(int descriptor, VipsImage **image, const char **format) {
    VipsSource *source = source_of(descriptor);
    if (source == NULL) {
        return CVipsFailed;
    }
    *format = format_of(source);
    if (*format == NULL) {
        g_object_unref(source);
        vips_error_clear();
        return CVipsNoReader;
    }
    *image = vips_image_new_from_source(source, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    g_object_unref(source);
    return *image == NULL ? CVipsFailed : CVipsDone;
}

CVipsOutcome cvips_header(int descriptor, CVipsHeader *header, char *error, size_t error_size) {
    VipsImage *image = NULL;
    const char *format = NULL;
    CVipsOutcome outcome = open_picture(descriptor, &image, &format);
    if (outcome != CVipsDone) {
        return outcome == CVipsFailed ? fail(error, error_size) : outcome;
    }
    header->format = is_av1(image) ? "avif" : format;
    header->width = vips_image_get_width(image);
    header->height = vips_image_get_height(image);
    header->orientation = vips_image_get_orientation(image);
    header->pages = vips_image_get_n_pages(image);
    header->streams = streams(image, format);
    header->is_plain_srgb = has_plain_srgb(image);
    g_object_unref(image);
    vips_error_clear();
    return CVipsDone;
}

static int save(VipsImage *image, bool is_png, const char *jpeg_path, const char *png_path) {
    if (is_png) {
        return vips_pngsave(image, png_path, "strip", TRUE, NULL);
    }
    return vips_jpegsave(image, jpeg_path, "Q", jpeg_quality, "strip", TRUE, NULL);
}

// `fail_on` must be an option of the reader: libvips 8.14 does not pass on that of vips_thumbnail_source.
static int shrink(VipsSource *source, VipsImage **image, int side, const char *profile, bool strict, bool whole) {
    const char *options = strict ? "[fail_on=error]" : "";
    if (!whole) {
        return vips_thumbnail_source(
            source, image, side, "height", side, "size", VIPS_SIZE_DOWN, "export_profile", profile, "option_string",
            options, NULL);
    }
    VipsImage *full = vips_image_new_from_source(source, options, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    if (full == NULL) {
        return -1;
    }
    int status = vips_thumbnail_image(
        full, image, side, "height", side, "size", VIPS_SIZE_DOWN, "export_profile", profile, NULL);
    g_object_unref(full);
    return status;
}

CVipsOutcome cvips_thumbnail(
    int descriptor, int side, bool is_plain_srgb, bool strict, bool whole, const char *jpeg_path, const char *png_path,
    bool *is_png, char *error, size_t error_size) {
    VipsSource *source = source_of(descriptor);
    if (source == NULL) {
        return fail(error, error_size);
    }
    // The conversion would change the saturated colors of a picture that is sRGB already.
    const char *profile = is_plain_srgb ? NULL : "srgb";
    VipsImage *image = NULL;
    int status = shrink(source, &image, side, profile, strict, whole);
    g_object_unref(source);
    if (status != 0) {
        return fail(error, error_size);
    }
    *is_png = vips_image_hasalpha(image);
    status = save(image, *is_png, jpeg_path, png_path);
    g_object_unref(image);
    if (status != 0) {
        return fail(error, error_size);
    }
    vips_error_clear();
    return CVipsDone;
}

size_t cvips_exif(int descriptor, void *buffer, size_t size) {
    VipsImage *image = NULL;
    const char *format = NULL;
    if (open_picture(descriptor, &image, &format) != CVipsDone) {
        vips_error_clear();
        return 0;
    }
    const void *block = NULL;
    size_t length = 0;
    static const char mark[] = {'E', 'x', 'i', 'f', 0, 0};
    if (vips_image_get_typeof(image, VIPS_META_EXIF_NAME) != 0 &&
        vips_image_get_blob(image, VIPS_META_EXIF_NAME, &block, &length) == 0) {
        size_t skipped = length >= sizeof mark && memcmp(block, mark, sizeof mark) == 0 ? sizeof mark : 0;
        length = length - skipped <= size ? length - skipped : 0;
        memcpy(buffer, (const char *)block + skipped, length);
    } else {
        length = 0;
    }
    g_object_unref(image);
    vips_error_clear();
    return length;
}

// Takes the place of an image that a call made another one of.
static void replace(VipsImage **image, VipsImage *next) {
    g_object_unref(*image);
    *image = next;
}

// Turns a picture of any kind into red, green and blue of 8 bits. Transparency becomes white, the color of paper.
static int flatten(VipsImage **image) {
    VipsImage *next = NULL;
    if (vips_colourspace(*image, &next, VIPS_INTERPRETATION_sRGB, NULL) != 0) {
        return -1;
    }
    replace(image, next);
    if (vips_image_hasalpha(*image)) {
        VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
        int status = vips_flatten(*image, &next, "background", white, NULL);
        vips_area_unref(VIPS_AREA(white));
        if (status != 0) {
            return -1;
        }
        replace(image, next);
    }
    if (vips_cast_uchar(*image, &next, NULL) != 0) {
        return -1;
    }
    replace(image, next);
    return 0;
}

CVipsOutcome cvips_pixels(
    int descriptor, int *width, int *height, const char *path, char *error, size_t error_size) {
    VipsSource *source = source_of(descriptor);
    if (source == NULL) {
        return fail(error, error_size);
    }
    VipsImage *image = NULL;
    int status =
        vips_thumbnail_source(source, &image, *width, "height", *height, "size", VIPS_SIZE_DOWN, NULL);
    g_object_unref(source);
    if (status != 0) {
        return fail(error, error_size);
    }
    status = flatten(&image);
    if (status == 0) {
        status = vips_rawsave(image, path, NULL);
    }
    *width = vips_image_get_width(image);
    *height = vips_image_get_height(image);
    g_object_unref(image);
    if (status != 0) {
        return fail(error, error_size);
    }
    vips_error_clear();
    return CVipsDone;
}
