// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/c_library.hpp"

#include <bit>

#include "engine/deploy/c_text.hpp"

namespace nw::deploy {
namespace {

// What a C int reaches, with room for sums of places.
constexpr std::int64_t most_floats = std::int64_t{1} << 29;

void add_bytes(std::string& to, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(word >> shift & 0xFFU);
}

std::string weights_bytes(const std::vector<float>& weights) {
  std::string bytes(weights_magic);
  bytes.reserve(12 + 4 * weights.size());
  add_bytes(bytes, static_cast<std::uint32_t>(weights.size()));
  for (const float w : weights) add_bytes(bytes, std::bit_cast<std::uint32_t>(w));
  return bytes;
}

}  // namespace

std::uint64_t checksum_of(const std::vector<float>& weights) {
  std::uint64_t sum = 14695981039346656037U;
  for (const float w : weights) sum = (sum ^ std::bit_cast<std::uint32_t>(w)) * 1099511628211U;
  return sum;
}

Result<CLibrary> c_library(const exchange::ExportSource& from, const std::vector<GoldenSample>& golden,
                           const CLibraryOptions& options) {
  NW_ASSIGN(const CNetwork net, c_network(from.doc, from.weights));
  const PlacedNetwork placed = place(net);
  const std::int64_t parameters = std::ssize(net.weights);
  if (placed.floats > most_floats || parameters > most_floats)
    return fail(Errc::bad_input, NW_TR("The network is too large for a C library: {0} weights, {1} floats of memory"),
                parameters, placed.floats);
  const bool file = options.weights_file || parameters > most_constants;
  const CText text{from, net, placed, golden, file};
  const CHeader header{from.name,  net.in[1],     net.in[2], net.in[3], net.out.per_sample(), std::ssize(from.classes),
                       parameters, placed.floats, file};
  return CLibrary{.header = c_header(header),
                  .source = c_source(text),
                  .weights = file ? weights_bytes(net.weights) : std::string(),
                  .parameters = parameters,
                  .arena = placed.floats,
                  .outputs = net.out.per_sample(),
                  .folded = net.folded,
                  .fused = net.fused};
}

}  // namespace nw::deploy
