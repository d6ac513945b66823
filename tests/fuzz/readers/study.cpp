// SPDX-License-Identifier: Apache-2.0
#include "engine/search/journal.hpp"
#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_study(Bytes bytes) {
  using namespace nw::search;
  auto study = study_from_text(as_text(bytes), "journal.jsonl");
  if (!study || !study->began()) return {};
  (void)study->best();
  (void)pareto_front(study->trials(), study->definition().objectives);
  Step step = study->next({});
  if (step.kind == Step::Kind::start &&
      !study->take(Record(Proposed{step.trial, std::move(step.point), step.to_epoch})))
    return {true, "the study rejects its own next trial"};
  if (step.kind == Step::Kind::promote && !study->take(Record(Promoted{step.trial, step.to_epoch})))
    return {true, "the study rejects its own promotion"};
  return {true, {}};
}
