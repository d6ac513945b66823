// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/core/files.hpp"
#include "engine/core/version.hpp"
#include "engine/deploy/c_text.hpp"

namespace nw::deploy {
namespace {

constexpr std::string_view init_text = R"C(
/* Before anything else: the bytes of the file of weights, which stay where they are. They begin at a multiple of four.
   NW_BAD_WEIGHTS: they are not those of this network. */
int nw_init(const void *bytes, size_t size);
)C";

constexpr std::string_view functions_text = R"C(
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
)C";

}  // namespace

std::string c_header(const CHeader& h) {
  std::string text =
      fmt::format("/* {}: a network as a C99 library, written by Netwright {}. docs/deploy.md describes it. */\n",
                  c_words(h.name), c_words(version()));
  text += "#ifndef NW_MODEL_H\n#define NW_MODEL_H\n#include <stddef.h>\n#include <stdint.h>\n";
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  text +=
      fmt::format("#define NW_CHANNELS {}\n#define NW_HEIGHT {}\n#define NW_WIDTH {}\n", h.channels, h.height, h.width);
  text += fmt::format("#define NW_OUTPUTS {} /* scores */\n#define NW_CLASSES {} /* that have names */\n", h.outputs,
                      h.classes);
  text += fmt::format("#define NW_WEIGHTS {}\n#define NW_ARENA_FLOATS {} /* memory of one picture */\n\n", h.weights,
                      h.arena_floats);
  text += "enum { NW_OK = 0, NW_BAD_WEIGHTS = 1, NW_WRONG_OUTPUT = 2, NW_NO_WEIGHTS = 3 };\n";
  if (h.weights_file) text += init_text;
  text += functions_text;
  return text + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

void tie_together(CLibrary& library) {
  const std::string number = fmt::format("0x{:016X}u", xxh3(library.header + library.source));
  const auto insert_after = [](std::string& text, std::string_view line, const std::string& more) {
    text.insert(text.find(line) + line.size(), more);
  };
  insert_after(library.header, "#define NW_MODEL_H\n", fmt::format("#define NW_EXPORT {}\n", number));
  insert_after(library.source, "#include \"nw_model.h\"\n",
               fmt::format("#if NW_EXPORT != {}\n#error \"nw_model.h and nw_model.c are of different exports\"\n"
                           "#endif\n",
                           number));
}

}  // namespace nw::deploy
