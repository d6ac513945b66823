// SPDX-License-Identifier: Apache-2.0
#include "engine/design/block_card.hpp"

#include <algorithm>

#include "engine/core/json.hpp"
#include "engine/design/block_edits.hpp"
#include "engine/design/json_form.hpp"
#include "kernels/printable.hpp"

namespace nw {
namespace {

/// Whole characters of a text that are within the limit, in lines without control characters.
std::string kept(const std::string& text, std::size_t longest) {
  std::string all = printable_lines(text);
  if (all.size() <= longest) return all;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(all[end]) & 0xC0) == 0x80) --end;
  return all.substr(0, end);
}

}  // namespace

Result<std::string> block_file_text(const GraphDoc& doc, const std::string& block, const std::string& as,
                                    const BlockCard& card) {
  GraphDoc named = doc;
  if (as != block) {
    NW_ASSIGN(const Edit renamed, rename_block(named, block, as));
    NW_ASSIGN(const Edit undo, named.apply(renamed));
    (void)undo;
  }
  NW_ASSIGN(Json json, parse_json(block_text(named, as), as));
  json["card"] = {{"icon", kept(card.icon, longest_block_icon)}, {"help", kept(card.help, longest_block_help)}};
  return canonical(json);
}

Result<BlockCard> card_in(std::string_view text) {
  NW_ASSIGN(const Json json, parse_json(text, "block"));
  JsonReader r(json, "block");
  r.integer("netwright-graph", 1, 1'000'000);
  NW_TRY(r.status());
  const Json* card = r.has("card") ? r.child("card", Json::value_t::object) : nullptr;
  NW_TRY(r.status());
  if (!card) return BlockCard{};
  JsonReader inside(*card, "block.card");
  BlockCard found{kept(inside.string_or("icon", ""), longest_block_icon),
                  kept(inside.string_or("help", ""), longest_block_help)};
  NW_TRY(inside.status());
  return found;
}

}  // namespace nw
