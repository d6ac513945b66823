// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/backend/devices.hpp"
#include "engine/compile/compile.hpp"
#include "engine/data/dataset.hpp"

namespace nw::cli {
namespace {

struct Options {
  std::string file, data;
  bool json = false;
};

std::string_view word(Severity s) { return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "note"; }

/// What is known about the data. Of synthetic digits only the sizes matter here, so few are made; a data set that cannot be
/// opened is said and left out.
DataFacts facts_for(const GraphDoc& doc, const std::string& data) {
  DataChoice choice = doc.data();
  choice.synthetic_train = std::min<std::int64_t>(choice.synthetic_train, 200);
  choice.synthetic_test = std::min<std::int64_t>(choice.synthetic_test, 20);
  const auto opened = open_data(choice, data, data.empty());
  if (!opened) {
    note("checked without data: " + opened.error().str());
    return {};
  }
  const auto splits = split_data(*opened, choice);
  return splits ? facts_of(*opened, *splits, choice) : DataFacts{};
}

Json json_of(const Problem& p) {
  Json fixes = Json::array();
  for (const Fix& f : p.fixes) fixes.push_back(f.label.str());
  return {{"severity", word(p.severity)}, {"scope", p.scope}, {"node", p.node_name}, {"port", p.port}, {"text", p.what.str()}, {"fixes", fixes}};
}

Json json_of(const Shape& s) {
  Json sizes = Json::array();
  for (int i = 1; i < s.rank(); ++i) sizes.push_back(s[i]);
  return sizes;
}

Json json_of(const Analysis& a) {
  Json layers = Json::array(), problems = Json::array();
  for (const ExpandedNode& n : a.expanded)
    layers.push_back({{"name", n.name}, {"output", json_of(n.facts.output)}, {"parameters", n.facts.parameters}, {"multiply_adds", n.facts.multiply_adds}});
  for (const Problem& p : a.problems) problems.push_back(json_of(p));
  return {{"schema", 1}, {"ok", a.ok()}, {"layers", layers}, {"problems", problems}, {"parameters", a.parameters}, {"multiply_adds", a.multiply_adds}, {"memory_bytes", a.memory_bytes}};
}

void print_table(const Analysis& a, std::int64_t batch) {
  std::vector<std::vector<std::string>> rows = {{"layer", "output", "parameters", "multiply-adds"}};
  for (const ExpandedNode& n : a.expanded)
    rows.push_back({n.name, to_string(n.facts.output, true), with_thousands(n.facts.parameters), with_thousands(n.facts.multiply_adds)});
  rows.push_back({"all", "", with_thousands(a.parameters), with_thousands(a.multiply_adds)});
  print(table(rows));
  if (a.memory_bytes > 0) print(fmt::format("memory to train at batch {}: {}", batch, bytes_text(a.memory_bytes)));
}

void print_problems(const Analysis& a) {
  for (const Problem& p : a.problems) {
    const std::string where = p.node_name.empty() ? "" : (p.scope.empty() ? "" : p.scope + "/") + p.node_name + ": ";
    print(fmt::format("{}: {}{}", word(p.severity), where, p.what.str()));
    for (const Fix& f : p.fixes) print("  fix: " + f.label.str());
  }
}

int check(const Options& o) {
  const auto doc = load_project(o.file);
  if (!doc) return report(doc.error());
  const auto devices = find_devices({"cpu"}, 0);
  Target target;
  target.device = devices ? devices->front().device.get() : nullptr;
  target.data = facts_for(*doc, o.data);
  const Analysis a = analyse(*doc, target);
  if (o.json) {
    print(json_of(a).dump());
  } else {
    print_table(a, doc->settings().batch);
    print_problems(a);
  }
  return a.ok() ? 0 : static_cast<int>(Errc::bad_input);
}

}  // namespace

void add_check(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("check", "Say what is wrong with a project; list shapes, parameters, multiply-adds, memory");
  auto o = std::make_shared<Options>();
  command->add_option("FILE", o->file, "Project file, or a template's name")->required();
  command->add_option("--data", o->data, "Folder or file of the data set");
  command->add_flag("--json", o->json, "One JSON object");
  command->footer("Example: netwright-cli check lenet5.netwright");
  command->callback([=, &chosen] { chosen = [o] { return check(*o); }; });
}

}  // namespace nw::cli
