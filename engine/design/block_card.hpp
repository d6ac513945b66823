// SPDX-License-Identifier: Apache-2.0
// A block as a file of the user's palette: the text of copied layers with a card that says how the palette shows it.
// Such files may come from anybody and are untrusted; a project never loads one.
#pragma once
#include <string>
#include <string_view>

#include "engine/design/graph_doc.hpp"

namespace nw {

inline constexpr std::size_t longest_block_help = 500, longest_block_icon = 40;  // bytes

struct BlockCard {
  std::string icon;  // name of an icon of the window; a name that it does not know means the default
  std::string help;  // for people; one or a few sentences
  bool operator==(const BlockCard&) const = default;
};
/// The block with all nested ones under the name `as`, and its card. Errc::other: `as` is no name, or another block of
/// the document has it.
Result<std::string> block_file_text(const GraphDoc&, const std::string& block, const std::string& as, const BlockCard&);
/// The card in the text of such a file; text of copied layers alone has an empty one. Errc::bad_input: it is neither.
Result<BlockCard> card_in(std::string_view text);

}  // namespace nw
