#include <libxml/xmlversion.h>
// The headers of ICU differ from those in Foundation, and a debug build loads both. No program here needs them.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/HTMLparser.h>
