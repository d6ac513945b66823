// SPDX-License-Identifier: Apache-2.0
#include "engine/data/fetch/http_header.hpp"
#include "engine/data/fetch/partial_file_sink.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

constexpr std::string_view begun = "12345678";  // a part that an earlier download left
constexpr std::int64_t longest = 1 << 16;

/// Takes the header's lines from the front of `text`; the status is that of the first line, "HTTP/1.1 206 …".
HttpHeader header_of(std::string_view& text) {
  HttpHeader head;
  const std::int64_t status = text.size() >= 12 ? http::number(text.substr(9, 3)) : -1;
  for (std::string_view line = "-"; !http::trimmed(line).empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    read_header_line(line = text.substr(0, end), head);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  head.status = static_cast<int>(status);
  if (head.status != 206) head.from = 0, head.whole = -1;
  return head;
}

/// Whether the whole response was taken; `resumed`: a part was there before.
Outcome fetched(std::string_view text, const PartialFile& part, std::int64_t expected, bool resumed) {
  PartialFileSink sink(part, expected, "example.org", [](std::int64_t) { return true; });
  const HttpHeader head = header_of(text);
  const bool taken = sink.head(head) && sink.body(std::as_bytes(std::span(text.substr(0, text.size() / 2)))) &&
                     sink.body(std::as_bytes(std::span(text.substr(text.size() / 2))));
  const bool good = sink.finish() && taken;
  const auto file = read_file(part.file, longest * 4);
  if (file && expected > 0 && static_cast<std::int64_t>(file->size()) > expected)
    return {good, "the file is larger than was expected"};
  if (good && head.status == 206 && head.from > 0 && (!resumed || !file || !file->starts_with(begun)))
    return {good, "what was there before is lost"};
  return {good, {}};
}

}  // namespace

Outcome read_http(Bytes bytes) {
  if (bytes.empty() || bytes.size() > longest) return {};
  static const Folder folder;
  const PartialFile part(folder.path / "set.tar");
  part.remove();
  const bool resumed = (bytes[0] & 1) != 0;
  if (resumed && !save_file(part.file, begun)) return {false, "the part cannot be written"};
  return fetched(as_text(bytes.subspan(1)), part, (bytes[0] & 2) != 0 ? 16 : 0, resumed);
}

}  // namespace nw::fuzz
