/* Reads a file of raw pixels (rows of NW_WIDTH pixels of NW_CHANNELS bytes) and prints the class. */
#include <stdio.h>
#include <stdlib.h>

#include "nw_model.h"

#ifdef NW_WEIGHTS_FILE
static int load_weights(const char *name) {
  const size_t size = 12 + 4 * (size_t)NW_WEIGHTS;
  void *bytes = malloc(size + 1); /* kept: the library reads the weights there */
  FILE *f = fopen(name, "rb");
  const size_t read = f && bytes ? fread(bytes, 1, size + 1, f) : 0;
  if (f) fclose(f);
  return nw_init(bytes, read);
}
#endif

int main(int argc, char **argv) {
  static unsigned char pixels[NW_HEIGHT * NW_WIDTH * NW_CHANNELS];
  static float scores[NW_OUTPUTS];
  FILE *f;
  int i;
#ifdef NW_WEIGHTS_FILE
  if (load_weights("c/nw_model.weights") != NW_OK)
    return fprintf(stderr, "c/nw_model.weights is not the network's\n"), 1;
#endif
  if (nw_selftest() != NW_OK) return fprintf(stderr, "the self-test fails\n"), 1;
  if (argc < 2) return printf("self-test passed\n"), 0;
  f = fopen(argv[1], "rb");
  if (!f || fread(pixels, 1, sizeof pixels, f) != sizeof pixels)
    return fprintf(stderr, "%s is too short\n", argv[1]), 1;
  fclose(f);
  nw_predict_u8(pixels, scores);
  for (i = 0; i < NW_OUTPUTS; ++i) printf("%d %s %.6g\n", i, nw_class_name(i), (double)scores[i]);
  printf("class %d %s\n", nw_best(scores), nw_class_name(nw_best(scores)));
  return 0;
}
