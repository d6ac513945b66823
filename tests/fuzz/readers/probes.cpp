// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "engine/train/tracked_sample_history.hpp"
#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

std::size_t number_at(const std::string& file, std::size_t at) {
  std::uint32_t v = 0;
  if (at + sizeof v <= file.size()) std::memcpy(&v, file.data() + at, sizeof v);
  return v;
}

/// Writes the checksum of [begin, end) at `end`; false if the file is too short.
bool put_sum(std::string& file, std::size_t begin, std::size_t end) {
  if (end < begin || end > file.size() || file.size() - end < 8) return false;
  const std::uint64_t sum = xxh3(std::string_view(file).substr(begin, end - begin));
  std::memcpy(file.data() + end, &sum, sizeof sum);
  return true;
}

/// Corrects the checksums of the header and of every record, so that changed bytes reach the reader.
std::string with_true_sums(Bytes bytes) {
  std::string file(as_text(bytes));
  const std::size_t images = number_at(file, 8),
                    header =
                        40 + images * 16 + images * number_at(file, 16) * number_at(file, 20) * number_at(file, 24),
                    record = 8 + images * 12;
  if (images > 1000 || !put_sum(file, 0, header)) return file;
  for (std::size_t at = header + 8; put_sum(file, at, at + record); at += record + 8) {}
  return file;
}

}  // namespace

Outcome read_probes(Bytes bytes) {
  if (bytes.empty()) return {};
  const std::string file = bytes[0] & 1 ? with_true_sums(bytes.subspan(1)) : std::string(as_text(bytes.subspan(1)));
  const auto h = tracked_samples_from(file, "probes.bin");
  if (!h) return {};
  if (h->answers.size() != h->steps.size() * h->probes.size()) return {true, "a record has another number of answers"};
  for (std::size_t i = 0; i < h->probes.size(); ++i)
    for (const std::size_t r : turns_of(*h, i).forgotten)
      if (h->right(r, i)) return {true, "an image is forgotten and right at once"};
  return {true, {}};
}

}  // namespace nw::fuzz
