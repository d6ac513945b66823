// SPDX-License-Identifier: Apache-2.0
#include "engine/design/block_card.hpp"
#include "engine/compile/compile.hpp"
#include "engine/design/block_edits.hpp"
#include "kernels/printable.hpp"
#include "tests/fuzz/readers/readers.hpp"

// As the palette reads a saved block: its card for the list, then its definitions when it is placed.
nw::fuzz::Outcome nw::fuzz::read_block_card(Bytes bytes) {
  const auto card = card_in(as_text(bytes));
  if (!card) return {};
  if (card->icon.size() > longest_block_icon || card->help.size() > longest_block_help)
    return {true, "a card is longer than it may be"};
  if (printable_lines(card->help) != card->help) return {true, "a card's help holds control characters"};
  GraphDoc doc;
  const auto taken = take_block(doc, as_text(bytes));
  if (!taken) return {};
  if (!doc.apply(taken->edit)) return {true, "the definitions of a block that was read cannot be applied"};
  if (!doc.has_scope(taken->name)) return {true, "a block that was read is not in the document"};
  (void)analyse(doc, {});
  const auto text = block_file_text(doc, taken->name, taken->name, *card);
  if (!text) return {true, "a block that was read cannot be saved: " + text.error().str()};
  const auto again = card_in(*text);
  if (!again || !(*again == *card)) return {true, "a card does not read back equal"};
  GraphDoc other;
  const auto second = take_block(other, *text);
  if (!second || second->name != taken->name) return {true, "a block that was saved does not read back"};
  return {true, {}};
}
