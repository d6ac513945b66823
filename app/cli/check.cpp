// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include "app/cli/cli.hpp"
#include "app/cli/repair.hpp"
#include "engine/backend/devices.hpp"
#include "engine/compile/compile.hpp"
#include "engine/core/existing.hpp"
#include "engine/design/merge.hpp"
#include "engine/design/project_file.hpp"
#include "engine/exchange/weight_table.hpp"
#include "engine/train/replicas.hpp"

namespace nw::cli {
namespace {

struct CheckOptions {
  std::string file, data, output, weights;
  std::int64_t number = 0;  // of a repair; 0: the first repair of every error
  bool json = false, plan = false, fix = false, force = false;
};

std::string_view word(Severity s) {
  return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "note";
}

Json json_of(const Problem& p) {
  Json fixes = Json::array();
  for (const Fix& f : p.fixes) fixes.push_back(f.label.str());
  return {{"severity", word(p.severity)}, {"scope", p.scope}, {"node", p.node_name}, {"port", p.port},
          {"text", p.what.str()},         {"fixes", fixes}};
}

Json json_of(const Shape& s) {
  Json sizes = Json::array();
  for (int i = 1; i < s.rank(); ++i) sizes.push_back(s[i]);
  return sizes;
}

Json json_of(const Analysis& a) {
  Json layers = Json::array(), problems = Json::array();
  for (const ExpandedNode& n : a.expanded)
    layers.push_back({{"name", n.name},
                      {"output", json_of(n.facts.output)},
                      {"parameters", n.facts.parameters},
                      {"multiply_adds", n.facts.multiply_adds}});
  for (const Problem& p : a.problems) problems.push_back(json_of(p));
  return {{"schema", 1},
          {"ok", a.ok()},
          {"layers", layers},
          {"problems", problems},
          {"parameters", a.parameters},
          {"multiply_adds", a.multiply_adds},
          {"memory_bytes", a.memory_bytes}};
}

void print_table(const Analysis& a, std::int64_t batch) {
  std::vector<std::vector<std::string>> rows = {{"layer", "output", "parameters", "multiply-adds"}};
  for (const ExpandedNode& n : a.expanded)
    rows.push_back({n.name, to_string(n.facts.output, true), with_thousands(n.facts.parameters),
                    with_thousands(n.facts.multiply_adds)});
  rows.push_back({"all", "", with_thousands(a.parameters), with_thousands(a.multiply_adds)});
  print_lines(table(rows));
  if (a.memory_bytes > 0) print(fmt::format("memory to train at batch {}: {}", batch, bytes_text(a.memory_bytes)));
}

void print_problems(const Analysis& a) {
  int number = 0;
  for (const Problem& p : a.problems) {
    const std::string where = p.node_name.empty() ? "" : (p.scope.empty() ? "" : p.scope + "/") + p.node_name + ": ";
    print(fmt::format("{}: {}{}", word(p.severity), where, p.what.str()));
    for (const Fix& f : p.fixes) print(fmt::format("  fix {}: {}", ++number, f.label.str()));
  }
}

std::vector<std::string> conflicts_of(const GraphDoc& doc) {
  std::vector<std::string> all;
  for (const MergeConflict& c : recorded_conflicts(doc)) all.push_back(sentence_of(c).str());
  return all;
}

Status save_repaired(const GraphDoc& doc, const CheckOptions& o) {
  NW_TRY(refuse_existing(o.output, o.force || o.output == o.file));
  return ProjectFile::save(doc, o.output);
}

/// The training step as the device runs it: its kernels in order, how each is computed, and the memory that a
/// training run, including its evaluation, uses.
struct PlannedStep {
  Plan plan;
  std::vector<std::string> choices;
  std::int64_t memory_bytes = 0;
};
Result<PlannedStep> planned_step(const GraphDoc& doc, const DataFacts& data, const ResolvedDevice& found) {
  NW_ASSIGN(
      Compiled compiled,
      compile(doc, {.training = true, .batch = doc.settings().batch, .device = found.device.get(), .data = data}));
  NW_ASSIGN(const auto replicas, Replicas::make(doc, data, {found}));
  return PlannedStep{std::move(compiled.plan), replicas->choices(), replicas->memory_bytes()};
}

Shape result_of(const Plan& plan, const Step& s) {
  return s.outputs.empty() ? Shape{} : plan.values[static_cast<std::size_t>(s.outputs[0])].shape;
}

void print_plan(const PlannedStep& p) {
  std::vector<std::vector<std::string>> rows = {{"step", "kernel", "makes"}};
  for (const Step& s : p.plan.steps)
    rows.push_back({s.label, s.kernel, s.outputs.empty() ? "" : to_string(result_of(p.plan, s))});
  print("");
  print_lines(table(rows));
  for (const std::string& choice : p.choices) print(choice);
  print(fmt::format("memory of the training: {}", bytes_text(p.memory_bytes)));
}

Json json_of(const PlannedStep& p) {
  Json steps = Json::array();
  for (const Step& s : p.plan.steps)
    steps.push_back({{"layer", s.label}, {"kernel", s.kernel}, {"output", json_of(result_of(p.plan, s))}});
  return {{"batch", p.plan.batch}, {"steps", steps}, {"choices", p.choices}, {"memory_bytes", p.memory_bytes}};
}

std::string sizes_text(const std::vector<std::int64_t>& sizes) {
  std::string text;
  for (const std::int64_t n : sizes) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

/// What `train --weights` would take of the file.
Result<std::vector<exchange::WeightRow>> matches(const GraphDoc& doc, const std::string& file) {
  NW_TRY(refuse_foreign_weights(file));
  NW_ASSIGN(const FlatNetwork network, flatten(doc, {.training = false, .batch = 1}));
  NW_ASSIGN(const SafetensorsFile weights, SafetensorsFile::open(file));
  return exchange::weight_table(network, weights.header());
}

Json json_of(const std::vector<exchange::WeightRow>& rows) {
  Json all = Json::array();
  for (const exchange::WeightRow& r : rows)
    all.push_back({{"name", r.name}, {"network", r.network}, {"file", r.file}, {"match", exchange::name_of(r.match)}});
  return all;
}

void print_matches(const std::vector<exchange::WeightRow>& rows, const std::string& file) {
  std::vector<std::vector<std::string>> lines{{"weight", "network", "file", ""}};
  std::int64_t taken = 0;
  for (const exchange::WeightRow& r : rows) {
    taken += r.match == exchange::WeightMatch::taken;
    lines.push_back({r.name, sizes_text(r.network), sizes_text(r.file), std::string(exchange::name_of(r.match))});
  }
  print("");
  print_lines(table(lines));
  print(fmt::format("{} of {} weights would be taken from {}", taken, rows.size(), file));
}

int check(const CheckOptions& o) {
  auto doc = load_project(o.file);
  if (!doc) return report(doc.error());
  if (const Status place = check_data_option(*doc, o.data); !place) return report(place.error());
  const auto devices = resolve_devices({"cpu"}, 0);
  Target target;
  target.device = devices ? devices->front().device.get() : nullptr;
  target.data = data_facts(*doc, o.data);
  if (o.fix) {
    if (const Status done = repair(*doc, target, o.number); !done) return report(done.error());
    if (const Status saved = save_repaired(*doc, o); !saved) return report(saved.error());
  }
  const Analysis a = analyse(*doc, target);
  std::optional<std::vector<exchange::WeightRow>> weights;
  if (!o.weights.empty() && a.ok()) {
    auto rows = matches(*doc, o.weights);
    if (!rows) return report(rows.error());
    weights = *std::move(rows);
  }
  std::optional<PlannedStep> step;
  if (o.plan && a.ok()) {
    if (!devices) return report(devices.error());
    auto planned = planned_step(*doc, target.data, devices->front());
    if (!planned) return report(planned.error());
    step = *std::move(planned);
  }
  if (o.json) {
    Json all = json_of(a);
    if (const auto conflicts = conflicts_of(*doc); !conflicts.empty()) all["conflicts"] = conflicts;
    if (step) all["plan"] = json_of(*step);
    if (weights) all["weights"] = json_of(*weights);
    print(all.dump());
  } else {
    print_table(a, doc->settings().batch);
    print_problems(a);
    if (step) print_plan(*step);
    if (weights) print_matches(*weights, o.weights);
  }
  return a.ok() ? 0 : static_cast<int>(Errc::bad_input);
}

}  // namespace

void add_check(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("check", "Check a project; list shapes, parameters, multiply-adds and memory");
  auto o = std::make_shared<CheckOptions>();
  command->add_option("FILE", o->file, "Project file, or a template's name")->required();
  command->add_option("--data", o->data, "Folder or file of the data set");
  auto* fix = command
                  ->add_option("--fix", o->number,
                               "Apply the repair of this number; without a number the first one of every error")
                  ->expected(0, 1)
                  ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 30));
  auto* output = command->add_option("-o,--output", o->output, "With --fix: project file to write")->needs(fix);
  fix->needs(output);
  command->add_flag("--force", o->force, "Replace the file of --output if it exists");
  command->add_option("--weights", o->weights,
                      "Safetensors file: also list which of its weights train --weights would take");
  command->add_flag("--plan", o->plan, "Also list the kernels of a training step and how this computer runs each");
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer(
      "Examples:\n  netwright-cli check lenet5.netwright\n"
      "  netwright-cli check broken.netwright --fix -o whole.netwright");
  command->callback([=, &chosen] {
    o->fix = fix->count() > 0;
    chosen = [o] { return check(*o); };
  });
}

}  // namespace nw::cli
