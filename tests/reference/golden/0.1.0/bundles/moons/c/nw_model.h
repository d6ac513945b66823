/* moons: a network as a C99 library, written by Netwright 0.1.0. docs/deploy.md describes it. */
#ifndef NW_MODEL_H
#define NW_MODEL_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define NW_CHANNELS 1
#define NW_HEIGHT 1
#define NW_WIDTH 2
#define NW_OUTPUTS 2 /* scores */
#define NW_CLASSES 2 /* that have names */
#define NW_WEIGHTS 1218
#define NW_ARENA_FLOATS 96 /* memory of one picture */

enum { NW_OK = 0, NW_BAD_WEIGHTS = 1, NW_WRONG_OUTPUT = 2, NW_NO_WEIGHTS = 3 };

/* The scores of a picture of numbers as the network takes them: NW_CHANNELS planes of NW_HEIGHT rows. Uses one piece of
   memory of the library, so that one thread at a time may call it. */
int nw_predict(const float *image, float *scores);

/* The same with memory of the caller, NW_ARENA_FLOATS floats: each thread may have its own. */
int nw_predict_in(float *memory, const float *image, float *scores);

#ifndef NW_PREDICT_ONLY /* without what follows the library is as small as it can be */
/* The same for pixels from 0 to 255, NW_CHANNELS bytes next to each other for each of them, row by row (as OpenCV and
   most cameras hold them; colours are red, green, blue). */
int nw_predict_u8(const uint8_t *pixels, float *scores);

int nw_predict_u8_in(float *memory, const uint8_t *pixels, float *scores);

/* NW_OK: the weights are those of the export, and the network computes what it computed there. */
int nw_selftest(void);

/* The class with the largest score. */
int nw_best(const float *scores);
/* Its name; "" if it has none. */
const char *nw_class_name(int c);
#endif

#ifdef __cplusplus
}
#endif
#endif
