// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/compress_state.hpp"

#include <QCoreApplication>
#include <algorithm>

#include "engine/runs/run_folder.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

struct StateWords {
  Q_DECLARE_TR_FUNCTIONS(CompressState)
};

/// What `compress --int8` notes in the definition of the run that it makes.
bool isInt8(const RunDefinition& d) {
  return std::any_of(d.choices.begin(), d.choices.end(), [](const std::string& c) { return c.starts_with("int8"); });
}

}  // namespace

CompressState readCompressState(const QString& run, const QString& checkpoint, const QString& criterion) {
  CompressState state;
  const fs::path folder = run.toStdString();
  const auto definition = read_run_definition(folder);
  if (!definition) {
    state.problem = translated(definition.error().what);
    return state;
  }
  state.chain = chainOf(folder);
  state.attempts = attemptsFrom(state.chain.front().run.toStdString());
  state.project = QString::fromStdString(definition->name);
  for (const std::string& name : definition->classes) state.classes << QString::fromStdString(name);
  const StepKind* last = stepKind(state.chain.back().kind);
  if ((last && last->last) || isInt8(*definition))
    state.locked = StateWords::tr(
        "This run computes in 8 bits: it is not pruned or trained further. Undo the step, or "
        "choose the run before it, to go on from there.");
  auto table = compress::PlanCostTable::of(definition->doc);
  if (!table)
    state.locked = translated(table.error().what);
  else
    state.table = std::make_shared<const compress::PlanCostTable>(*std::move(table));
  state.sensitivity = readSensitivity(folder, checkpoint, criterion);
  return state;
}

CompressionRecord withCosts(CompressionRecord record) {
  const auto definition = read_run_definition(record.run.toStdString());
  const auto table =
      definition ? compress::PlanCostTable::of(definition->doc) : Result<compress::PlanCostTable>(definition.error());
  if (!table) return record;
  const compress::PlanCosts costs = table->costs({});
  record.multiplyAdds = costs.multiply_adds;
  record.parameters = costs.parameters;
  return record;
}

}  // namespace nw::ui
