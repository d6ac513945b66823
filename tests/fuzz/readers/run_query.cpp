// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/index/run_query.hpp"

#include "tests/fuzz/readers/readers.hpp"

nw::fuzz::Outcome nw::fuzz::read_run_query(Bytes bytes) {
  const auto query = RunQuery::parse(as_text(bytes));
  if (!query) return {};
  RunRecord run;
  run.summary.name = "lenet5";
  run.summary.best_accuracy = 0.5;
  run.settings = {{"batch", "64"}, {"learning_rate", "0.01"}, {"optimizer", "sgd"}};
  run.notes.tags = {"wide"};
  const bool matches = query->matches(run);
  const auto negated = RunQuery::parse("not (" + std::string(as_text(bytes)) + ")");
  const bool empty = as_text(bytes).find_first_not_of(" \t\n") == std::string_view::npos;
  if (negated && !empty && negated->matches(run) == matches) return {true, "a condition and its negation agree"};
  return {true, {}};
}
