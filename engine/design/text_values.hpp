// SPDX-License-Identifier: Apache-2.0
// Attributes as words of a network's text form. Private to engine/design.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "engine/design/layer_type.hpp"

namespace nw::written {

/// The record of a node's attribute; null: its layer type has none of that name.
const Field* field_of(const Node& node, const std::string& name);
std::optional<std::int64_t> whole(std::string_view word);
/// The value of an unquoted word: of the field's type, or without a field determined by the form of the word.
Attr value_from(const Field* field, std::string_view word);
/// The word, quoted if necessary, that is parsed as this value.
std::string value_text(const Field* field, const Attr& value);

/// The order of lines: every node after its sources, otherwise by position.
std::vector<NodeId> in_order(const Graph&);

}  // namespace nw::written
