// SPDX-License-Identifier: Apache-2.0
#include "engine/data/fetch/download.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_tar(Bytes bytes) {
  const std::string_view all = as_text(bytes);
  std::string broken;
  std::size_t total = 0, files = 0;
  const Status read = parse_tar(all, "t.tar", [&](std::string_view name, std::string_view content) -> Status {
    ++files;
    total += content.size();
    if (name.find('/') != std::string_view::npos) broken = "a name leads elsewhere";
    if (!content.empty() && (content.data() < all.data() || content.data() + content.size() > all.data() + all.size()))
      broken = "a file lies outside";
    return {};
  });
  if (total > all.size()) broken = "more than there is";
  return {read && files > 0, broken};
}
