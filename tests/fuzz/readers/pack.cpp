// SPDX-License-Identifier: Apache-2.0
#include "engine/data/cache/pack.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "engine/data/dataset.hpp"
#include "engine/runs/descriptor.hpp"
#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

/// The file with a correct header checksum, so that changed bytes behind the header reach the reader.
std::string with_true_sum(Bytes bytes) {
  std::string file(as_text(bytes));
  std::uint64_t length = 0;
  if (file.size() < 24) return file;
  std::memcpy(&length, file.data() + 8, sizeof length);
  if (length > file.size() - 24) return file;
  const std::uint64_t sum = xxh3(std::string_view(file).substr(24, length));
  std::memcpy(file.data() + 16, &sum, sizeof sum);
  return file;
}

Outcome look_at(const OpenedData& d) {
  for (const auto& set : {d.train, d.test}) {
    if (!set) continue;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(set->bytes()));
    for (const std::int64_t i : {std::int64_t{0}, set->size() - 1})
      if (!set->pixels(i, pixels) || set->origin(i).empty() || set->targets(i).size() != d.target_names.size())
        return {true, "a sample cannot be had"};
  }
  return {true, {}};
}

}  // namespace

Outcome read_pack(Bytes bytes) {
  if (bytes.empty()) return {};
  const std::string file = bytes[0] & 1 ? with_true_sum(bytes.subspan(1)) : std::string(as_text(bytes.subspan(1)));
  Descriptor memory(::memfd_create("pack", MFD_CLOEXEC));
  if (memory.fd < 0 || ::write(memory.fd, file.data(), file.size()) != static_cast<ssize_t>(file.size()))
    return {false, "no memory file"};
  const auto opened = open_pack("/proc/self/fd/" + std::to_string(memory.fd), "key");
  return opened ? look_at(*opened) : Outcome{};
}

}  // namespace nw::fuzz
