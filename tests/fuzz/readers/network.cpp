// SPDX-License-Identifier: Apache-2.0
#include "engine/design/text_form.hpp"
#include "tests/fuzz/readers/readers.hpp"

/// An accepted text reads back as the same network after it is written, and undo restores the document exactly.
nw::fuzz::Outcome nw::fuzz::read_network(Bytes bytes) {
  GraphDoc doc;
  const TextReading reading = read_network_text(doc, "", as_text(bytes));
  if (!reading.faults.empty())
    return reading.edit.empty() ? Outcome{} : Outcome{true, "a text with faults gives an edit"};
  const auto undo = doc.apply(reading.edit);
  if (!undo) return {true, "an edit that was read is refused: " + undo.error().str()};
  const TextReading again = read_network_text(doc, "", network_text(doc, ""));
  if (!again.faults.empty()) return {true, "a written network is refused: " + again.faults[0].what.str()};
  if (!again.edit.empty()) return {true, "a written network is not read as itself"};
  if (!doc.apply(*undo) || !(doc.graph() == Graph{})) return {true, "undo leaves something behind"};
  return {true, {}};
}
