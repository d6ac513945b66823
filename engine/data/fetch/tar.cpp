// SPDX-License-Identifier: Apache-2.0
// tar as specified by POSIX.1-1988: a header of 512 bytes, then the file's bytes, padded to a multiple of 512.
#include "engine/data/fetch/download.hpp"

namespace nw {
namespace {

constexpr std::size_t block = 512, name_bytes = 100, size_at = 124, size_bytes = 12, sum_at = 148, sum_bytes = 8,
                      type_at = 156;

/// Octal digits up to a blank or zero; -1 if there are other characters (including base 256: no file here is that
/// large).
std::int64_t octal(std::string_view field) {
  std::int64_t n = 0;
  bool any = false;
  for (const char c : field) {
    if (c == ' ' && !any) continue;
    if (c == ' ' || c == '\0') break;
    if (c < '0' || c > '7') return -1;
    n = n * 8 + (c - '0');
    any = true;
  }
  return any ? n : -1;
}

/// The sum of the header's bytes, with the checksum field read as blanks.
bool sum_is_right(std::string_view head) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < block; ++i)
    sum += i >= sum_at && i < sum_at + sum_bytes ? ' ' : static_cast<unsigned char>(head[i]);
  return sum == octal(head.substr(sum_at, sum_bytes));
}

std::string_view base_name(std::string_view head) {
  std::string_view name = head.substr(0, name_bytes);
  name = name.substr(0, name.find('\0'));
  return name.substr(name.rfind('/') + 1);
}

}  // namespace

Status parse_tar(std::string_view tar, const std::string& where,
                 const std::function<Status(std::string_view, std::string_view)>& take) {
  const auto damaged = [&](std::size_t at) {
    return fail(Errc::bad_input, NW_TR("{0}: its table of contents is damaged at byte {1}"), where, at);
  };
  for (std::size_t at = 0; at + block <= tar.size();) {
    const std::string_view head = tar.substr(at, block);
    if (head[0] == '\0') return {};  // end of the archive
    const std::int64_t size = octal(head.substr(size_at, size_bytes));
    if (size < 0 || !sum_is_right(head)) return damaged(at);
    const auto bytes = static_cast<std::size_t>(size);
    if (bytes > tar.size() - at - block)
      return fail(Errc::bad_input, NW_TR("{0}: it ends in the middle of a file"), where);
    if (head[type_at] == '0' || head[type_at] == '\0') NW_TRY(take(base_name(head), tar.substr(at + block, bytes)));
    at += block + (bytes + block - 1) / block * block;
  }
  return {};
}

}  // namespace nw
