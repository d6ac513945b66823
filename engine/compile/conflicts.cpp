// SPDX-License-Identifier: Apache-2.0
// What a merge left open: a warning on its layer for each conflict, with both sides as repairs.
#include "engine/compile/context.hpp"
#include "engine/design/merge.hpp"

namespace nw::compiling {
namespace {

constexpr std::size_t most_shown = 100;

std::string place_in(const MergeConflict& c) {
  const bool both = !c.scope.empty() && !c.what.empty();
  return c.scope + (both ? "/" : "") + c.what;
}

}  // namespace

void list_conflicts(Context& c) {
  std::size_t shown = 0;
  for (const MergeConflict& conflict : recorded_conflicts(c.doc)) {
    if (++shown > most_shown) return;
    const bool here = c.doc.has_scope(conflict.scope) && c.doc.graph(conflict.scope).nodes.contains(conflict.node);
    Problem* p =
        c.report_at(Severity::warning, here ? conflict.scope : "", here ? conflict.node : 0, words_of(conflict));
    if (!p) continue;
    if (!here) p->node_name = place_in(conflict);
    if (auto edit = resolve(c.doc, conflict, MergeSide::theirs))
      p->fixes.push_back({text(NW_TR("Take theirs")), *std::move(edit)});
    if (auto edit = resolve(c.doc, conflict, MergeSide::ours))
      p->fixes.push_back({text(NW_TR("Keep ours")), *std::move(edit)});
  }
}

}  // namespace nw::compiling
