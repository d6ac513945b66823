// SPDX-License-Identifier: Apache-2.0
// Settings as words of a written network. Private to engine/design.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "engine/design/layer_type.hpp"

namespace nw::written {

/// The record of a node's setting; null: its layer has none of that name.
const Field* field_of(const Node& node, const std::string& name);
std::optional<std::int64_t> whole(std::string_view word);
/// The value of a word without quotes: of the field's kind, or without a field by the word's form.
Attr value_from(const Field* field, std::string_view word);
/// The word, quoted where needed, that is read as this value.
std::string value_text(const Field* field, const Attr& value);

/// The order of lines: every node after those that feed it, otherwise by position.
std::vector<NodeId> in_order(const Graph&);

}  // namespace nw::written
