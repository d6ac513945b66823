// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/frames.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace nw::submit {
namespace {

constexpr std::size_t longest_head = 8192;

Error no_frame() { return fail(Errc::bad_input, NW_TR("what the other computer sends is not understood")); }

}  // namespace

bool is_inside(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.size() > 4096) return false;
  const std::filesystem::path parts(path);
  return std::none_of(parts.begin(), parts.end(), [](const auto& p) { return p == ".." || p == "." || p.empty(); });
}

Status FrameReader::begin() {
  FrameHead head;
  const std::size_t space = head_.find(' '), second = head_.find(' ', std::min(space, head_.size() - 1) + 1);
  if (space == std::string::npos || second == std::string::npos) return no_frame();
  head.kind = head_.substr(0, space);
  head.path = head_.substr(second + 1);
  const char* const last = head_.data() + second;
  const auto [end, error] = std::from_chars(head_.data() + space + 1, last, head.bytes);
  if (error != std::errc() || end != last || head.bytes > limit_bytes) return no_frame();
  if (!head.path.empty() && !is_inside(head.path)) return no_frame();
  head_.clear();
  inside_ = true;
  left_ = head.bytes;
  return receiver_.begin(head);
}

Status FrameReader::feed(std::string_view bytes) {
  while (!bytes.empty() || (inside_ && left_ == 0)) {
    if (!inside_) {
      const std::size_t end = std::min(bytes.find('\0'), bytes.size());
      head_ += bytes.substr(0, end);
      if (head_.size() > longest_head) return no_frame();
      if (end == bytes.size()) return {};
      bytes.remove_prefix(end + 1);
      NW_TRY(head_.empty() ? Status(no_frame()) : begin());
      continue;
    }
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
    if (n > 0) NW_TRY(receiver_.piece(bytes.substr(0, n)));
    bytes.remove_prefix(n);
    left_ -= n;
    if (left_ > 0) continue;
    inside_ = false;
    NW_TRY(receiver_.end());
  }
  return {};
}

}  // namespace nw::submit
