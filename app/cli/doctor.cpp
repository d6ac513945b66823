// SPDX-License-Identifier: Apache-2.0
// netwright-cli doctor RUN_DIR: what is wrong with a training, with evidence and a recommendation.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/doctor/examine.hpp"

namespace nw::cli {
namespace {

struct DoctorOptions {
  std::string run;
  bool json = false, no_data = false;
};

Json numbers(const std::vector<double>& values) { return Json(values); }

Json json_of(const doctor::Finding& f, const std::string& command) {
  Json evidence = Json::array();
  for (const doctor::Series& s : f.evidence)
    evidence.push_back({{"name", s.name}, {"x_unit", s.x_unit}, {"x", numbers(s.x)}, {"y", numbers(s.y)}});
  return {{"type", "finding"},
          {"id", f.id},
          {"text", f.sentence.str()},
          {"layer", f.layer},
          {"evidence", evidence},
          {"recommendation", f.recommendation.sentence.str()},
          {"setting", f.recommendation.setting},
          {"value", f.recommendation.value},
          {"command", command}};
}

Json json_of(const doctor::DataFigures& f) {
  return {{"validation", f.validation},
          {"shared", f.shared},
          {"image_bytes", f.image_bytes},
          {"most_common", f.most_common}};
}

/// "loss by step: 2.3 at 10, 2.1 at 500, …": at most five points of the curve.
std::string words_of(const doctor::Series& s) {
  constexpr std::size_t points = 5;
  std::string all;
  const std::size_t n = s.x.size(), count = std::min(points, n);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = count > 1 ? i * (n - 1) / (count - 1) : 0;
    all += fmt::format("{}{:.3g} at {:.6g}", i == 0 ? "" : ", ", s.y[at], s.x[at]);
  }
  return fmt::format("{} by {}: {}", s.name, s.x_unit, all.empty() ? "no values" : all);
}

void say(const doctor::Finding& f, const std::string& command) {
  print(fmt::format("{}: {}", doctor::find_diagnosis(f.id)->title.str(), f.sentence.str()));
  for (const doctor::Series& s : f.evidence) print("  " + words_of(s));
  print("  " + f.recommendation.sentence.str());
  if (!command.empty()) print("  " + command);
}

int examine_run(const DoctorOptions& o) {
  Json figures_json;
  auto record = doctor::read_record(o.run);
  if (!record) return report(record.error());
  if (!o.no_data) {
    const auto figures = doctor::measure_data(o.run);
    if (!figures) note(fmt::format("the data were not examined: {}", figures.error().str()));
    if (figures && *figures) {
      doctor::take_figures(*record, **figures);
      figures_json = json_of(**figures);
    }
  }
  const auto found = doctor::examine(*record);
  for (const doctor::Finding& f : found) {
    const std::string command = doctor::command_for(f, *record, o.run);
    if (o.json)
      print(json_of(f, command).dump(-1, ' ', false, Json::error_handler_t::replace));
    else
      say(f, command);
  }
  if (o.json)
    print(Json{
        {"type", "examined"}, {"findings", found.size()}, {"data", record->data.has_value()}, {"figures", figures_json}}
              .dump());
  else if (found.empty())
    print("nothing found");
  return 0;
}

}  // namespace

void add_doctor(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "doctor", "Examine a run: what is wrong with the training, the evidence, and a recommendation");
  auto o = std::make_shared<DoctorOptions>();
  command->add_option("RUN_DIR", o->run, "The run's folder; it is only read")->required();
  command->add_flag("--no-data", o->no_data, "Leave out what needs the images: validation images in the training");
  command->add_flag("--json", o->json, "Print JSON lines: a finding each; the last has type \"examined\"");
  command->footer("Example: netwright-cli doctor RUN_DIR");
  command->callback([=, &chosen] { chosen = [o] { return examine_run(*o); }; });
}

}  // namespace nw::cli
