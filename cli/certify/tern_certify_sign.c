/* tern_certify_sign.c : signatures by ssh-keygen
 * SPDX-License-Identifier: Apache-2.0
 *
 * It stays in the terminal's process group, because it may ask for a passphrase.
 */
#define _GNU_SOURCE /* mkdtemp */
#include <errno.h>
#include <fcntl.h>
#include <nettle/base64.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tern_certify.h"
#include "tern/file.h"
#include "tern_interrupt.h"

extern char **environ;

static const char no_tool[] = "package openssh-client";

/* Runs it with `in` to read; the first line that it prints (stdout and stderr) in `line`. -1: it is missing;
 * else its exit status. */
static int keygen(char *const *argv, const char *in, char *line, size_t bytes)
{
    const char *folder = getenv("TMPDIR");
    char name[TERN_CERTIFY_PATH];
    line[0] = 0;
    const int length =
        snprintf(name, sizeof name, "%s/tern-keygen-XXXXXX", folder != NULL && folder[0] != 0 ? folder : "/tmp");
    const int fd = length > 0 && (size_t)length < sizeof name ? mkstemp(name) : -1;
    if (fd < 0) {
        snprintf(line, bytes, "no file can be made in TMPDIR for what it prints: %s", strerror(errno));
        return 255;
    }
    (void)unlink(name);
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status = 0, error = posix_spawn_file_actions_init(&files);
    if (error == 0) {
        error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, in, O_RDONLY, 0);
        if (error == 0) error = posix_spawn_file_actions_adddup2(&files, fd, STDOUT_FILENO);
        if (error == 0) error = posix_spawn_file_actions_adddup2(&files, fd, STDERR_FILENO);
        if (error == 0) error = posix_spawnp(&pid, argv[0], &files, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&files);
    }
    bool asked = false;
    while (error == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        if (tern_interrupted() && !asked) kill(pid, SIGTERM), asked = true;
    const ssize_t n = error == 0 ? pread(fd, line, bytes - 1, 0) : 0;
    close(fd);
    line[n > 0 ? n : 0] = 0;
    line[strcspn(line, "\r\n")] = 0;
    if (error != 0) return error == ENOENT ? -1 : 255;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static char *word(const char *text) { return (char *)(uintptr_t)text; } /* posix_spawn does not write to it */

/* What keygen() said with a status other than 0; says: what ssh-keygen did not do. */
static tern_status keygen_failed(int status, const char *key, const char *says, const char *line, tern_diags *diags)
{
    if (status < 0)
        return tern_certify_fault(diags, TERN_CERTIFY_E_SIGN, NULL, TERN_ERR_TOOL, no_tool,
                                  "ssh-keygen is not on the PATH");
    return tern_certify_fault(diags, TERN_CERTIFY_E_SIGN, key, TERN_ERR_TOOL,
                              "a private key, or the public one of a key that the agent holds", "%s: %s", says, line);
}

tern_status tern_certify_key(const char *key, tern_diags *diags)
{
    char line[300];
    char *const argv[] = { word("ssh-keygen"), word("-l"), word("-f"), word(key), NULL };
    const int status = keygen(argv, "/dev/null", line, sizeof line);
    return status == 0 ? TERN_OK : keygen_failed(status, key, "--key: ssh-keygen reads no key", line, diags);
}

tern_status tern_certify_sign(const char *dir, const char *key, tern_diags *diags)
{
    char manifest[2 * TERN_CERTIFY_PATH], line[300];
    snprintf(manifest, sizeof manifest, "%s/%s", dir, TERN_CERTIFY_MANIFEST);
    char *const argv[] = { word("ssh-keygen"),           word("-Y"), word("sign"), word("-f"), word(key), word("-n"),
                           word(TERN_CERTIFY_NAMESPACE), manifest,   NULL };
    const int status = keygen(argv, "/dev/null", line, sizeof line);
    return status == 0 ? TERN_OK : keygen_failed(status, key, "ssh-keygen did not sign", line, diags);
}

/* ssh-keygen ignores what follows the signature, blanks in it, and bits of its last letter. Here each byte counts: the
 * text must be the one that ssh-keygen writes for these bytes. */
static bool is_canonical(const uint8_t *text, size_t n)
{
    static const char begin[] = "-----BEGIN SSH SIGNATURE-----\n", end[] = "-----END SSH SIGNATURE-----\n";
    enum { LINE = 70, MOST = 16384 };
    uint8_t raw[MOST];
    char again[MOST];
    struct base64_decode_ctx ctx;
    size_t size = MOST, at = 0;
    const size_t head = sizeof begin - 1, tail = sizeof end - 1;
    if (n <= head + tail || n > MOST || memcmp(text, begin, head) != 0 || memcmp(text + n - tail, end, tail) != 0)
        return false;
    base64_decode_init(&ctx);
    if (!base64_decode_update(&ctx, &size, raw, n - head - tail, (const char *)text + head) ||
        !base64_decode_final(&ctx))
        return false;
    if (BASE64_ENCODE_RAW_LENGTH(size) > sizeof again) return false;
    base64_encode_raw(again, size, raw);
    for (size_t i = 0; i < BASE64_ENCODE_RAW_LENGTH(size); ++i) {
        if (head + at >= n - tail || text[head + at++] != (uint8_t)again[i]) return false;
        const bool full = i % LINE == LINE - 1 || i + 1 == BASE64_ENCODE_RAW_LENGTH(size);
        if (full && (head + at >= n - tail || text[head + at++] != '\n')) return false;
    }
    return head + at == n - tail;
}

static tern_status check_form(const char *path, tern_diags *diags)
{
    uint8_t *text = NULL;
    size_t n = 0;
    const tern_alloc alloc = tern_alloc_default();
    const tern_status s = tern_file_read(path, 1 << 20, alloc, &text, &n, diags);
    const bool good = s == TERN_OK && is_canonical(text, n);
    alloc.fn(alloc.ud, text, 0);
    if (s != TERN_OK || good) return s;
    return tern_certify_fault(diags, TERN_CERTIFY_E_SIGNATURE, TERN_CERTIFY_SIGNATURE, TERN_ERR_FORMAT,
                              "get the folder again from its maker",
                              "not the text of a signature as ssh-keygen writes it");
}

tern_status tern_certify_verify(const char *dir, const char *signers, char *out_signer, size_t bytes, tern_diags *diags)
{
    char manifest[2 * TERN_CERTIFY_PATH], signature[2 * TERN_CERTIFY_PATH], line[300], found[300] = "";
    snprintf(manifest, sizeof manifest, "%s/%s", dir, TERN_CERTIFY_MANIFEST);
    snprintf(signature, sizeof signature, "%s/%s", dir, TERN_CERTIFY_SIGNATURE);
    int status;
    const tern_status form = check_form(signature, diags);
    if (form != TERN_OK) return form;
    if (signers == NULL) {
        char *const argv[] = { word("ssh-keygen"),
                               word("-Y"),
                               word("check-novalidate"),
                               word("-n"),
                               word(TERN_CERTIFY_NAMESPACE),
                               word("-s"),
                               signature,
                               NULL };
        status = keygen(argv, manifest, line, sizeof line);
        snprintf(out_signer, bytes, "%s", "");
    } else {
        char *const who[] = { word("ssh-keygen"), word("-Y"), word("find-principals"), word("-s"),
                              signature,          word("-f"), word(signers),           NULL };
        status = keygen(who, "/dev/null", found, sizeof found);
        char *const argv[] = { word("ssh-keygen"),
                               word("-Y"),
                               word("verify"),
                               word("-f"),
                               word(signers),
                               word("-I"),
                               found,
                               word("-n"),
                               word(TERN_CERTIFY_NAMESPACE),
                               word("-s"),
                               signature,
                               NULL };
        if (status == 0) status = keygen(argv, manifest, line, sizeof line);
        else snprintf(line, sizeof line, "the key is not one of the file of signers: %.200s", found);
        snprintf(out_signer, bytes, "%s", found);
    }
    if (status == 0) return TERN_OK;
    if (status < 0)
        return tern_certify_fault(diags, TERN_CERTIFY_E_SIGNATURE, NULL, TERN_ERR_TOOL, no_tool,
                                  "ssh-keygen is not on the PATH");
    return tern_certify_fault(diags, TERN_CERTIFY_E_SIGNATURE, TERN_CERTIFY_SIGNATURE, TERN_ERR_FORMAT,
                              "whose signature should it be? --signers FILE", "%s", line);
}
