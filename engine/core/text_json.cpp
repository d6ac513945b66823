// SPDX-License-Identifier: Apache-2.0
#include "engine/core/text_json.hpp"

namespace nw {
namespace {
constexpr std::size_t most_arguments = 10;
}

Json to_json(const Text& text) { return {{"source", text.source}, {"args", text.args}}; }

Text text_in(const Json& json) {
  const auto source = json.find("source"), args = json.find("args");
  if (!json.is_object() || source == json.end() || !source->is_string()) return {};
  Text out{source->get<std::string>(), {}};
  if (args != json.end() && args->is_array())
    for (const Json& a : *args)
      if (a.is_string() && out.args.size() < most_arguments) out.args.push_back(a.get<std::string>());
  return out;
}

}  // namespace nw
