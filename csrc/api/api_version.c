/* api/api_version.c - what the library says about itself: its version, the names of statuses. */
#include "base/base.h"

#define TEXT_OF_(number) #number
#define TEXT_OF(number) TEXT_OF_(number)

const char *gm_version(void)
{
    return TEXT_OF(GM_VERSION_MAJOR) "." TEXT_OF(GM_VERSION_MINOR) "." TEXT_OF(GM_VERSION_PATCH);
}

const char *gm_status_name(gm_status status)
{
    switch (status) {
    case GM_OK:
        return "GM_OK";
    case GM_REJECTED:
        return "GM_REJECTED";
    case GM_TERMINATED:
        return "GM_TERMINATED";
    case GM_DEAD_END:
        return "GM_DEAD_END";
    case GM_INVALID_ARGUMENT:
        return "GM_INVALID_ARGUMENT";
    case GM_INVALID_SCHEMA:
        return "GM_INVALID_SCHEMA";
    case GM_UNSATISFIABLE:
        return "GM_UNSATISFIABLE";
    case GM_UNSUPPORTED:
        return "GM_UNSUPPORTED";
    case GM_LIMIT:
        return "GM_LIMIT";
    case GM_OUT_OF_MEMORY:
        return "GM_OUT_OF_MEMORY";
    case GM_INVALID_FILE:
        return "GM_INVALID_FILE";
    case GM_IO:
        return "GM_IO";
    }
    return "GM_?";
}
