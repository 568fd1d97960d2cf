// OpenSSL 3 calls the functions of one algorithm deprecated. The others look for a provider first, which takes longer than
// the digest of a short share, reads a configuration file, and keeps 1.5 MiB.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>
