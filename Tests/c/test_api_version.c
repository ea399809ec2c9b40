/* test_api_version.c - the version is the header's, and every status has its name. */
#include "check.h"

static void the_version_is_the_one_of_the_header(void)
{
    char text[40];
    snprintf(text, sizeof text, "%d.%d.%d", GM_VERSION_MAJOR, GM_VERSION_MINOR, GM_VERSION_PATCH);
    CHECK(strcmp(gm_version(), text) == 0);
}

static void every_status_has_a_name_of_its_own(void)
{
    for (int i = GM_OK; i <= GM_IO; i++) {
        CHECK(strncmp(gm_status_name((gm_status)i), "GM_", 3) == 0);
        CHECK(strcmp(gm_status_name((gm_status)i), "GM_?") != 0);
        for (int j = GM_OK; j < i; j++)
            CHECK(strcmp(gm_status_name((gm_status)i), gm_status_name((gm_status)j)) != 0);
    }
    CHECK(strcmp(gm_status_name(GM_DEAD_END), "GM_DEAD_END") == 0 && strcmp(gm_status_name(GM_IO), "GM_IO") == 0);
    CHECK(strcmp(gm_status_name((gm_status)(GM_IO + 1)), "GM_?") == 0);
}

int main(void)
{
    RUN(the_version_is_the_one_of_the_header);
    RUN(every_status_has_a_name_of_its_own);
    return REPORT("test_api_version");
}
