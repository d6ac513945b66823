// SPDX-License-Identifier: Apache-2.0
// The C program that proves a C library. Private to engine/deploy.
#pragma once

namespace nw::deploy {

/// Arguments: the file of weights or "", a file of pictures (bytes), the file of scores to write. Prints the result of
/// nw_selftest(), the pictures, and the milliseconds of one: the least of five passes over at most 200 of them.
inline constexpr const char* c_runner = R"C(#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nw_model.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void *whole_file(const char *name, size_t *size) {
  FILE *f = fopen(name, "rb");
  char *bytes = NULL;
  long end;
  *size = 0;
  if (!f) return NULL;
  if (fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) > 0 && fseek(f, 0, SEEK_SET) == 0) {
    bytes = malloc((size_t)end);
    if (bytes) *size = fread(bytes, 1, (size_t)end, f);
  }
  fclose(f);
  return bytes;
}

int main(int argc, char **argv) {
  const size_t each = (size_t)NW_CHANNELS * NW_HEIGHT * NW_WIDTH;
  static float scores[NW_OUTPUTS];
  size_t size, i, count, timed;
  int selftest, pass;
  double least = 1e30;
  unsigned char *pixels;
  FILE *out;
  if (argc != 4) return 2;
#ifdef NW_WEIGHTS_FILE
  {
    size_t bytes;
    void *weights = whole_file(argv[1], &bytes);
    if (!weights || nw_init(weights, bytes) != NW_OK) return 3;
  }
#endif
  selftest = nw_selftest();
  pixels = whole_file(argv[2], &size);
  out = fopen(argv[3], "wb");
  if (!out) return 4;
  count = pixels ? size / each : 0;
  for (i = 0; i < count; ++i) {
    nw_predict_u8(pixels + i * each, scores);
    if (fwrite(scores, sizeof(float), NW_OUTPUTS, out) != NW_OUTPUTS) return 4;
  }
  if (fclose(out) != 0) return 4;
  timed = count < 200 ? count : 200;
  for (pass = 0; pass < 5 && timed > 0; ++pass) {
    const double begin = now();
    double took;
    for (i = 0; i < timed; ++i) nw_predict_u8(pixels + i * each, scores);
    took = (now() - begin) / (double)timed;
    if (took < least) least = took;
    if (took * (double)timed > 2000) break;
  }
  printf("%d %lu %.9g\n", selftest, (unsigned long)count, timed > 0 ? least : 0.0);
  free(pixels);
  return 0;
}
)C";

}  // namespace nw::deploy
