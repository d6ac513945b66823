// SPDX-License-Identifier: Apache-2.0
// The names in an archive, within a budget of memory. Private to engine/data/sources and its tests.
#pragma once
#include <string>
#include <utility>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/archive.hpp"
#include "engine/data/sources/image_list.hpp"

namespace nw {

inline constexpr std::size_t index_limit_bytes = std::size_t{512} << 20;

/// The names in an archive as a tree, which takes no more memory than allowed: 5 KB of archive may name a million
/// folders. Of entries with equal names the first is used.
class ArchiveIndex final : public ArchiveVisitor {
 public:
  ArchiveIndex(std::string where, OpenedData& data, std::size_t limit_bytes = index_limit_bytes)
      : where_(std::move(where)), data_(data), limit_bytes_(limit_bytes) {}
  bool wants(const ArchiveEntry& entry) override {
    FolderTree* at = &root_;
    const std::string& name = entry.name;
    std::size_t begin = 0;
    for (std::size_t end = name.find('/'); end != std::string::npos; begin = end + 1, end = name.find('/', begin)) {
      const std::string part = name.substr(begin, end - begin);
      if (hidden(part)) return false;
      at = folder(*at, part);
    }
    const std::string last = name.substr(begin);
    if (hidden(last)) return false;
    if (entry.is_folder)
      folder(*at, last);
    else if (has_image_ending(last))
      image(*at, last, entry);
    return false;
  }
  void take(const ArchiveEntry&, std::string) override {}
  void left_out(std::uint64_t, const Text& why) override { leave_out(data_, why); }
  bool enough() const override { return bytes_ > limit_bytes_; }
  const FolderTree& root() const { return root_; }
  Status status() const {
    if (bytes_ <= limit_bytes_) return {};
    return fail(Errc::bad_input, NW_TR("{0}: its names need more than {1} MiB of memory; unpack it into a folder"),
                where_, limit_bytes_ >> 20);
  }

 private:
  static constexpr std::size_t folder_bytes = 192, image_bytes = 96;  // of a tree's node and the heap's overhead

  FolderTree* folder(FolderTree& in, const std::string& name) {
    const auto [at, is_new] = in.folders.try_emplace(name);
    if (is_new) bytes_ += folder_bytes + name.size();
    return &at->second;
  }
  void image(FolderTree& in, const std::string& name, const ArchiveEntry& entry) {
    if (in.images.emplace(name, entry.ordinal).second)
      bytes_ += image_bytes + name.size();
    else
      leave_out(data_, text(NW_TR("{0}: entry {1} occurs twice; the first one is used"), where_, entry.name));
  }
  static bool hidden(const std::string& part) { return part.starts_with('.') || part == "__MACOSX"; }
  const std::string where_;
  OpenedData& data_;
  const std::size_t limit_bytes_;
  FolderTree root_;
  std::size_t bytes_ = 0;
};

}  // namespace nw
