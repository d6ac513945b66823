// SPDX-License-Identifier: Apache-2.0
#include "engine/design/opaque.hpp"

#include <algorithm>

#include "kernels/nested_text.hpp"
#include "kernels/printable.hpp"

namespace nw {
namespace {

constexpr char separator = '|';

/// The first bytes of a text, whole characters only.
std::string cut(std::string text, std::int64_t longest) {
  if (std::ssize(text) <= longest) return text;
  auto end = static_cast<std::size_t>(longest);
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

std::string without_separator(std::string text) {
  std::replace(text.begin(), text.end(), separator, '/');
  return text;
}

std::string name_from_file(const std::string& name) { return cut(printable(name), longest_opaque_name); }

}  // namespace

std::string kept_sentence(const Text& sentence, std::int64_t longest) {
  std::string kept = without_separator(sentence.source);
  for (const std::string& arg : sentence.args) kept += separator + without_separator(printable(plain(arg)));
  return cut(std::move(kept), longest);
}

Text sentence_from(std::string_view kept) {
  const std::size_t end = std::min(kept.find(separator), kept.size());
  Text out{std::string(kept.substr(0, end)), {}};
  for (std::size_t at = end + 1; at <= kept.size();) {
    const std::size_t next = std::min(kept.find(separator, at), kept.size());
    out.args.emplace_back(kept.substr(at, next - at));
    at = next + 1;
  }
  return out;
}

std::string opaque_word(const Node& node, std::string_view attribute) {
  const auto it = node.attrs.find(attribute);
  const auto* word = it == node.attrs.end() ? nullptr : std::get_if<std::string>(&it->second);
  return word ? printable(*word) : std::string();
}

Text opaque_refusal(const std::string& name, const std::string& reason) {
  if (reason.empty()) return text(NW_TR("The operator {0} is not computed here"), name);
  return text(NW_TR("The operator {0} is not computed here: {1}"), name, nested(sentence_from(reason)));
}

AttrMap opaque_attributes(const OpaqueOperator& o) {
  AttrMap attrs{{"operator", name_from_file(o.name)},
                {"reason", kept_sentence(o.reason, longest_opaque_reason)},
                {"inputs", std::clamp<std::int64_t>(o.inputs, 0, 100'000)}};
  if (!o.domain.empty()) attrs["domain"] = name_from_file(o.domain);
  if (o.version > 0) attrs["version"] = std::min<std::int64_t>(o.version, 1'000'000);
  if (o.output > 0) attrs["output"] = std::min<std::int64_t>(o.output, 100'000);
  if (!o.out.empty()) attrs["shape"] = o.out;
  return attrs;
}

}  // namespace nw
