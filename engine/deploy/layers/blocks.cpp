// SPDX-License-Identifier: Apache-2.0
// Vectors of floats as wide as the processor's, and blocks of 16, 8 and 4 channels made of them. Compilers without
// GCC's vectors, and those that optimize for size, take plain floats.
#include <fmt/format.h>

#include "engine/deploy/layers/c_layer.hpp"

namespace nw {
namespace deploy {
namespace {

constexpr std::string_view vectors = R"C(
#if !defined(__GNUC__) || defined(__OPTIMIZE_SIZE__) || defined(NW_PLAIN)
#define NW_LANES 1
#elif defined(__AVX512F__)
#define NW_LANES 16
#elif defined(__AVX__)
#define NW_LANES 8
#elif defined(__SSE2__) || defined(__ARM_NEON)
#define NW_LANES 4
#else
#define NW_LANES 1
#endif

/* Pixels whose sums are in registers at the same time. */
#if NW_LANES == 16
#define NW_PIXELS 8
#define NW_EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)
#elif NW_LANES == 8
#define NW_PIXELS 6
#define NW_EACH(F) F(0) F(1) F(2) F(3) F(4) F(5)
#elif NW_LANES == 4
#define NW_PIXELS 2
#define NW_EACH(F) F(0) F(1)
#else
#define NW_PIXELS 1
#define NW_EACH(F) F(0)
#endif

#if NW_LANES == 1
NW_INLINE float nw_limit(float v, float least, float most) {
  v = v < least ? least : v;
  return v > most ? most : v;
}
#else
#define NW_VECTOR(name, lanes)                                                                     \
  typedef float name __attribute__((vector_size(4 * (lanes))));                                    \
  typedef float name##_at __attribute__((vector_size(4 * (lanes)), aligned(4), may_alias));        \
  typedef int name##_bits __attribute__((vector_size(4 * (lanes))));                               \
  NW_INLINE name name##_limit(name v, float least, float most) {                               \
    const name low = least + (name){0}, high = most + (name){0};                                   \
    const name##_bits under = v < low;                                                             \
    name##_bits over;                                                                              \
    v = (name)(((name##_bits)low & under) | ((name##_bits)v & ~under));                            \
    over = v > high;                                                                               \
    return (name)(((name##_bits)high & over) | ((name##_bits)v & ~over));                          \
  }
NW_VECTOR(nw_v, NW_LANES)
#define NW_AT(p) (*(nw_v_at *)(p))
#define NW_ZERO ((nw_v){0})
#define nw_limit nw_v_limit
NW_INLINE float nw_sum(nw_v v) {
  float part[NW_LANES], sum = 0.0f;
  int i;
  memcpy(part, &v, sizeof part);
  for (i = 0; i < NW_LANES; ++i) sum += part[i];
  return sum;
}
#endif
)C";

constexpr std::string_view larger = R"C(
#if NW_LANES > 1
NW_INLINE nw_v nw_larger(nw_v a, nw_v b) {
  const nw_v_bits more = b > a;
  return (nw_v)(((nw_v_bits)b & more) | ((nw_v_bits)a & ~more));
}
#endif
)C";

/// A block of several vectors of `lanes` floats: members a, b, c, d.
std::string vector_block(int width, int lanes) {
  std::string members, loads, adds, stores;
  for (int i = 0; i < width / lanes; ++i) {
    const std::string m(1, static_cast<char>('a' + i)), at = fmt::format("p + {}", i * lanes);
    members += (i > 0 ? ", " : " ") + m;
    loads += fmt::format("  b.{} = *(const nw_part#_at *)({});\n", m, at);
    adds += fmt::format("  sum.{0} += x * w.{0};\n", m);
    stores += fmt::format("  *(nw_part#_at *)({}) = nw_part#_limit(b.{}, least, most);\n", at, m);
  }
  return fmt::format("NW_VECTOR(nw_part#, {})\ntypedef struct {{ nw_part#{}; }} nw_block#;\n", lanes, members) +
         "NW_INLINE nw_block# nw_load#(const float *p) {\n  nw_block# b;\n" + loads + "  return b;\n}\n" +
         "NW_INLINE nw_block# nw_add#(nw_block# sum, float x, nw_block# w) {\n" + adds + "  return sum;\n}\n" +
         "NW_INLINE void nw_store#(float *p, nw_block# b, float least, float most) {\n" + stores + "}\n";
}

std::string block(int width) {
  std::string text = "\n", word = "#if";
  for (const int lanes : {16, 8, 4})
    if (lanes <= width) {
      text +=
          fmt::format("{} NW_LANES {} {}\n", word, lanes == width ? ">=" : "==", lanes) + vector_block(width, lanes);
      word = "#elif";
    }
  text += "#endif\n";
  const std::string number = std::to_string(width);
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    const bool directive = at > 0 && text[at - 1] == '\n';
    if (!directive) text.replace(at, 1, number);
  }
  return text;
}

}  // namespace
}  // namespace deploy

extern const deploy::CLayerFile blocks_c_layers;
const deploy::CLayerFile blocks_c_layers{{},
                                         {{"nw_vectors", std::string(deploy::vectors)},
                                          {"nw_larger", std::string(deploy::larger), {"nw_vectors"}},
                                          {"nw_block16", deploy::block(16), {"nw_vectors"}},
                                          {"nw_block8", deploy::block(8), {"nw_vectors"}},
                                          {"nw_block4", deploy::block(4), {"nw_vectors"}}}};

}  // namespace nw
