// SPDX-License-Identifier: Apache-2.0
#include "app/cli/repair.hpp"

#include "app/cli/cli.hpp"

namespace nw::cli {
namespace {

constexpr int most_repairs = 100;  // a repair may cause another problem

/// The first repair of the first problem that has one.
const Fix* first_fix(const Analysis& a) {
  for (const Problem& p : a.problems)
    if (!p.fixes.empty() && p.severity == Severity::error) return &p.fixes.front();
  return nullptr;
}

/// The repair with this number, as check lists them from 1.
const Fix* fix_numbered(const Analysis& a, std::int64_t number) {
  for (const Problem& p : a.problems)
    for (const Fix& f : p.fixes)
      if (--number == 0) return &f;
  return nullptr;
}

Status apply(GraphDoc& doc, const Fix& fix) {
  note(fix.label.str());
  NW_ASSIGN(const Edit undo, doc.apply(fix.edit));
  (void)undo;
  return {};
}

}  // namespace

Status repair(GraphDoc& doc, const Target& target, std::int64_t number) {
  if (number > 0) {
    const Analysis a = analyse(doc, target);
    const Fix* fix = fix_numbered(a, number);
    if (!fix) return fail(Errc::usage, NW_TR("there is no repair {0}; check lists them with their numbers"), number);
    return apply(doc, *fix);
  }
  for (int i = 0; i < most_repairs; ++i) {
    const Analysis a = analyse(doc, target);
    const Fix* fix = first_fix(a);
    if (!fix) return {};
    NW_TRY(apply(doc, *fix));
  }
  return {};
}

}  // namespace nw::cli
