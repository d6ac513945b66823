// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/data/sources.hpp"

namespace nw {
namespace {

struct Idx {
  std::vector<std::uint64_t> sizes;
  std::size_t data = 0;  // offset of the first element
};

/// Header of an unsigned-byte IDX file; the product of its sizes must be just what follows.
Result<Idx> read_header(const std::string& bytes, const std::string& where, std::size_t rank) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])); };
  if (bytes.size() < 4 || byte(0) != 0 || byte(1) != 0 || byte(2) != 8)
    return fail(Errc::bad_input, NW_TR("{0}: not an IDX file of bytes (it should begin with 0 0 8)"), where);
  if (byte(3) != rank) return fail(Errc::bad_input, NW_TR("{0}: has {1} dimensions, {2} are needed; are images and labels exchanged?"), where, byte(3), rank);
  Idx idx;
  idx.data = 4 + 4 * rank;
  if (bytes.size() < idx.data) return fail(Errc::bad_input, NW_TR("{0}: ends inside its header"), where);
  std::uint64_t product = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::size_t at = 4 + 4 * d;
    idx.sizes.push_back(byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3));
    if (__builtin_mul_overflow(product, idx.sizes.back(), &product))
      return fail(Errc::bad_input, NW_TR("{0}: its header claims an impossible size"), where);
  }
  if (product != bytes.size() - idx.data)
    return fail(Errc::bad_input, NW_TR("{0}: its header says {1} bytes follow, there are {2}; download it again"), where, product, bytes.size() - idx.data);
  return idx;
}

fs::path first_of(const fs::path& folder, const std::vector<std::string>& names) {
  std::error_code ignored;
  for (const std::string& name : names)
    for (const char* ending : {"", ".gz"})
      if (fs::is_regular_file(folder / (name + ending), ignored)) return folder / (name + ending);
  return {};
}

Result<std::shared_ptr<MemoryDataset>> read_part(const fs::path& folder, const std::string& part) {
  const fs::path images = first_of(folder, {part + "-images-idx3-ubyte", part + "-images.idx3-ubyte"});
  const fs::path labels = first_of(folder, {part + "-labels-idx1-ubyte", part + "-labels.idx1-ubyte"});
  if (images.empty()) return fail(Errc::bad_input, NW_TR("{0}: has no {1}-images-idx3-ubyte (or .gz)"), folder.string(), part);
  if (labels.empty()) return fail(Errc::bad_input, NW_TR("{0}: has no {1}-labels-idx1-ubyte (or .gz)"), folder.string(), part);
  return read_idx(images, labels);
}

}  // namespace

Result<std::shared_ptr<MemoryDataset>> read_idx(const fs::path& images, const fs::path& labels) {
  NW_ASSIGN(const std::string pixels, read_maybe_gzip(images));
  NW_ASSIGN(const Idx header, read_header(pixels, images.string(), 3));
  NW_ASSIGN(const std::string classes, read_maybe_gzip(labels));
  NW_ASSIGN(const Idx label_header, read_header(classes, labels.string(), 1));
  if (header.sizes[0] != label_header.sizes[0])
    return fail(Errc::bad_input, NW_TR("{0} has {1} images, {2} has {3} labels; they do not belong together"), images.string(), header.sizes[0], labels.string(), label_header.sizes[0]);
  if (header.sizes[0] == 0 || header.sizes[1] == 0 || header.sizes[2] == 0) return fail(Errc::bad_input, NW_TR("{0}: holds no images"), images.string());
  auto set = std::make_shared<MemoryDataset>(1, static_cast<std::int64_t>(header.sizes[1]), static_cast<std::int64_t>(header.sizes[2]));
  set->pixels_.assign(pixels.begin() + static_cast<std::ptrdiff_t>(header.data), pixels.end());
  for (std::size_t i = label_header.data; i < classes.size(); ++i) set->labels_.push_back(static_cast<unsigned char>(classes[i]));
  set->origins_ = {images.filename().string()};
  return set;
}

Result<OpenedData> open_mnist(const fs::path& folder) {
  NW_ASSIGN(auto train, read_part(folder, "train"));
  NW_ASSIGN(auto test, read_part(folder, "t10k"));
  if (train->height() != test->height() || train->width() != test->width())
    return fail(Errc::bad_input, NW_TR("{0}: training and test images differ in size"), folder.string());
  OpenedData data;
  std::int64_t last = 0;
  for (const auto& set : {train, test}) last = std::max(last, *std::max_element(set->labels_.begin(), set->labels_.end()));
  for (std::int64_t c = 0; c <= last; ++c) data.classes.push_back(std::to_string(c));
  data.train = std::move(train);
  data.test = std::move(test);
  data.description = "MNIST";
  data.place = folder.string();
  return data;
}

}  // namespace nw
