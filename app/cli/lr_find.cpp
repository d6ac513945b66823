// SPDX-License-Identifier: Apache-2.0
// netwright-cli lr-find and memorise: trials beside any run, in this process.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/train/memorise.hpp"
#include "engine/train/rate_finder.hpp"

namespace nw::cli {
namespace {

struct TrialOptions {
  std::string file, data, device;
  std::int64_t batch = 0;
  bool json = false;
};

/// A project, a template's name, or the folder of a run.
Result<TrialSource> trial_source(const TrialOptions& o) {
  TrialSource source;
  std::error_code ignored;
  if (fs::is_directory(o.file, ignored)) {
    NW_ASSIGN(source.definition, read_run_definition(o.file));
    source.run = o.file;
  } else {
    NW_ASSIGN(source.definition.doc, load_project(o.file));
    NW_TRY(check_data_option(source.definition.doc, o.data));
    const DataChoice data = choice_for(source.definition.doc, o.data);
    NW_ASSIGN(const Edit undo, source.definition.doc.apply({PutData{data}}));
    (void)undo;
    if (!o.data.empty()) source.definition.data_dir = fs::absolute(o.data, ignored).string();
  }
  TrainSettings s = source.definition.doc.settings();
  if (!o.device.empty()) s.devices = split_device_list(o.device);
  if (o.batch > 0) s.batch = o.batch;
  NW_ASSIGN(const Edit undone, source.definition.doc.apply({PutSettings{s}}));
  (void)undone;
  return source;
}

struct FinderOptions {
  TrialOptions trial;
  RateSearch search;
};

Json curve_json(const std::vector<double>& values) {
  Json all = Json::array();
  for (const double v : values) all.push_back(v);
  return all;
}

int find(const FinderOptions& o) {
  auto source = trial_source(o.trial);
  if (!source) return report(source.error());
  const auto tell = [&](int seeds) {
    if (!o.trial.json) note(fmt::format("{} of {} seeds", seeds, o.search.seeds));
  };
  const auto f = find_rate(*std::move(source), o.search, tell);
  if (!f) return report(f.error());
  if (o.trial.json) {
    Json losses = Json::array();
    for (const auto& one : f->losses) losses.push_back(curve_json(one));
    print(Json{{"suggestion", f->suggestion > 0 ? Json(f->suggestion) : Json()},
               {"suggestions", curve_json(f->suggestions)},
               {"rates", curve_json(f->rates)},
               {"losses", losses},
               {"low", curve_json(f->low)},
               {"median", curve_json(f->middle)},
               {"high", curve_json(f->high)}}
              .dump());
    return 0;
  }
  constexpr std::size_t rows = 20;
  const std::size_t every = std::max<std::size_t>(1, f->middle.size() / rows);
  print(fmt::format("{:>12}  {:>10}  {:>10}  {:>10}", "rate", "lowest", "median", "highest"));
  for (std::size_t i = 0; i < f->middle.size(); i += every)
    print(fmt::format("{:>12.3g}  {:>10.4g}  {:>10.4g}  {:>10.4g}", f->rates[i], f->low[i], f->middle[i], f->high[i]));
  if (!(f->suggestion > 0)) {
    print("no suggestion: the loss falls at no rate");
    return 0;
  }
  print(
      fmt::format("suggestion: {:.3g}, between where the loss falls most steeply and a tenth of where it is lowest; "
                  "over {} seeds from {:.3g} to {:.3g}",
                  f->suggestion, f->suggestions.size(), *std::min_element(f->suggestions.begin(), f->suggestions.end()),
                  *std::max_element(f->suggestions.begin(), f->suggestions.end())));
  return 0;
}

struct MemoriseOptions {
  TrialOptions trial;
  double seconds = 4;
};

int learn_by_heart(const MemoriseOptions& o) {
  auto source = trial_source(o.trial);
  if (!source) return report(source.error());
  const auto m = memorise(*std::move(source), o.seconds);
  if (!m) return report(m.error());
  if (o.trial.json)
    print(Json{{"verdict", name_of(m->verdict)},
               {"steps", m->steps},
               {"samples", m->samples},
               {"seconds", m->seconds},
               {"learning_rate", m->learning_rate},
               {"first_loss", m->first_loss},
               {"last_loss", std::isfinite(m->last_loss) ? Json(m->last_loss) : Json()},
               {"accuracy", std::isfinite(m->accuracy) ? Json(m->accuracy) : Json()}}
              .dump());
  else
    print(fmt::format("{} ({:.2f} s)", sentence_of(*m).str(), m->seconds));
  return 0;
}

void add_trial_options(CLI::App& command, TrialOptions& o) {
  command.add_option("FILE", o.file, "Project file, a template's name, or a run's folder: its latest checkpoint")
      ->required();
  command.add_option("--data", o.data, "Folder, archive or file of the data set");
  command.add_option("--device", o.device, "cpu; cuda:0; default: those of the project");
  command.add_option("--batch", o.batch, "Images per step")->check(CLI::PositiveNumber);
  command.add_flag("--json", o.json, "Print one JSON object");
}

}  // namespace

void add_lr_find(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("lr-find", "Find a learning rate: a short training with a growing rate, five seeds");
  auto o = std::make_shared<FinderOptions>();
  add_trial_options(*command, o->trial);
  command->add_option("--lowest", o->search.lowest, "First learning rate");
  command->add_option("--highest", o->search.highest, "Last learning rate");
  command->add_option("--steps", o->search.steps, "Updates of each seed")->check(CLI::Range(10, 100000));
  command->add_option("--seeds", o->search.seeds, "Number of seeds")->check(CLI::Range(1, 100));
  command->footer("Example: netwright-cli lr-find lenet5.netwright");
  command->callback([=, &chosen] { chosen = [o] { return find(*o); }; });
}

void add_memorise(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "memorise", "Test whether the network can learn one batch by heart, or what stands in the way");
  auto o = std::make_shared<MemoriseOptions>();
  add_trial_options(*command, o->trial);
  command->add_option("--seconds", o->seconds, "Longest time to try")->check(CLI::PositiveNumber);
  command->footer("Example: netwright-cli memorise lenet5.netwright");
  command->callback([=, &chosen] { chosen = [o] { return learn_by_heart(*o); }; });
}

}  // namespace nw::cli
