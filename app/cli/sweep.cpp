// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include "app/cli/study_process.hpp"
#include "engine/core/crashed_saves.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/search/apply.hpp"
#include "engine/search/study_control.hpp"

namespace nw::cli {
namespace {

struct SweepOptions {
  std::string file, space, folder, data, device;
  std::vector<std::string> objectives;
  std::string sampler = "tpe", pruner = "none";
  std::int64_t trials = 0, first_rung = 1, reduction = 3, repeats = 0;
  std::optional<std::int64_t> epochs;
  std::optional<double> validation;
  std::uint64_t seed = 0;
  std::size_t jobs = 1;
  double minutes = 0;
  StudyOutput output;
};

/// The options as settings of the project, as every trial gets them. A trial keeps little on the disk.
Status put_options(GraphDoc& doc, const SweepOptions& o) {
  TrainSettings s = doc.settings();
  if (o.epochs) s.epochs = *o.epochs;
  if (!o.device.empty()) s.devices = split_device_list(o.device);
  s.keep_checkpoints = 1;
  DataChoice data = choice_for(doc, o.data);
  if (o.validation) data.validation_fraction = *o.validation;
  if (const Status good = check_limits(s, data, "The command line"); !good)
    return Error{Errc::usage, good.error().what};
  NW_ASSIGN(const Edit undo, doc.apply({PutSettings{s}, PutData{data}, PutExtra{"search", {}}}));
  (void)undo;
  return {};
}

Result<TrialPlan> plan_for(const SweepOptions& o) {
  TrialPlan plan;
  NW_ASSIGN(GraphDoc doc, load_project(o.file));
  NW_TRY(check_data_option(doc, o.data));
  NW_ASSIGN(plan.base, away_from(std::move(doc), fs::path(o.file).parent_path()));
  NW_TRY(put_options(plan.base, o));
  std::error_code ignored;
  plan.folder = fs::absolute(o.folder, ignored).lexically_normal();
  if (!o.data.empty()) plan.data = fs::absolute(o.data, ignored).string();
  plan.epochs = plan.base.settings().epochs;
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  if (o.jobs > 1 && plan.base.settings().threads == 0)
    plan.threads = std::max<std::int64_t>(1, cores / static_cast<std::int64_t>(o.jobs));
  plan.facts = data_facts(plan.base, o.data);
  if (plan.facts.train == 0) return fail(Errc::bad_input, NW_TR("the data of the project cannot be opened"));
  if (plan.facts.validation == 0)
    return fail(Errc::bad_input, NW_TR("trials are compared on validation images, and the project holds none out; "
                                       "--validation 0.1 does"));
  return plan;
}

/// Without a file the fields that the project itself names.
Result<search::Space> space_for(const SweepOptions& o) {
  if (o.space.empty()) {
    NW_ASSIGN(const GraphDoc doc, load_project(o.file));
    if (doc.extra("search").is_null())
      return fail(Errc::usage, NW_TR("{0} names no fields to search; --space does"), o.file);
    return search::space_from_json(doc.extra("search"), o.file + ": search");
  }
  NW_ASSIGN(const std::string text, read_file(o.space, std::uint64_t{4} << 20));
  return search::parse_space(text, o.space);
}

Result<search::StudyDefinition> definition_for(const SweepOptions& o, const TrialPlan& plan) {
  search::StudyDefinition d;
  d.name = project_name(o.file);
  d.project = xxh3(ProjectFile::text(plan.base));
  NW_ASSIGN(d.space, space_for(o));
  NW_TRY(search::check_space(plan.base, d.space));
  for (const std::string& word : o.objectives.empty() ? std::vector<std::string>{"accuracy"} : o.objectives) {
    NW_ASSIGN(const search::Objective objective, search::objective_from_text(word));
    d.objectives.push_back(objective);
  }
  if (d.objectives.size() > search::most_objectives)
    return fail(Errc::usage, NW_TR("a study has one or two objectives"));
  const search::Sampler* sampler = search::find_sampler(d.sampler = o.sampler);
  if (sampler->check) NW_TRY(sampler->check(d.space, d.objectives));
  d.pruner = o.pruner;
  if (o.pruner != "none" && (d.objectives.size() > 1 || !search::find_metric(d.objectives.front().metric)->each_epoch))
    return fail(Errc::usage,
                NW_TR("a study is pruned by one objective that is known after each epoch: accuracy or loss"));
  if (o.repeats > 0 && d.objectives.size() > 1)
    return fail(Errc::usage, NW_TR("with two objectives no trial is the best one; --repeat-best needs one objective"));
  d.seed = o.seed;
  d.epochs = plan.epochs;
  d.first_rung = o.first_rung;
  d.reduction = o.reduction;
  return d;
}

/// What differs between the study in the folder and the one that was asked for; empty: nothing.
std::string difference(const search::StudyDefinition& was, const search::StudyDefinition& now) {
  if (was.space != now.space) return "space";
  if (was.objectives != now.objectives) return "objective";
  if (was.sampler != now.sampler) return "sampler";
  if (was.pruner != now.pruner || was.first_rung != now.first_rung || was.reduction != now.reduction) return "pruner";
  if (was.epochs != now.epochs) return "number of epochs";
  if (was.seed != now.seed) return "seed";
  return was.project != now.project ? "project" : "";
}

/// A new study needs a folder of its own: what lies under the names of its trials would be replaced.
Status check_empty(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::path name = it->path().filename();
    const bool ours = name == "lock" || name == "log.txt" || name == search::journal_file ||
                      name == search::project_copy || name == search::space_copy;
    if (!ours)
      return fail(Errc::usage, NW_TR("{0} holds {1}; a new study needs an empty folder"), folder.string(),
                  name.string());
  }
  return {};
}

/// What a study is continued with, wherever it was begun from.
Status keep_copies(const fs::path& folder, const TrialPlan& plan, const search::Space& space) {
  NW_TRY(ProjectFile::save(plan.base, folder / search::project_copy));
  return save_file(folder / search::space_copy, search::to_json(space).dump(2) + "\n");
}

Status begin_or_continue(search::Journal& journal, const TrialPlan& plan, search::StudyDefinition wanted) {
  if (!journal.study().began()) {
    remove_crashed_saves(journal.folder());  // of a study that was killed while it began
    NW_TRY(check_empty(journal.folder()));
    NW_TRY(keep_copies(journal.folder(), plan, wanted.space));
    return journal.write(search::Began{std::move(wanted), unix_now()});
  }
  const std::string other = difference(journal.study().definition(), wanted);
  if (other.empty()) return {};
  return fail(Errc::usage, NW_TR("the study in {0} was begun with another {1}; choose another folder, or the same {1}"),
              journal.folder().string(), other);
}

int sweep(const SweepOptions& o) {
  const auto plan = plan_for(o);
  if (!plan) return report(plan.error());
  auto definition = definition_for(o, *plan);
  if (!definition) return report(definition.error());
  if (const auto devices = resolve_devices(plan->base.settings().devices, plan->base.settings().threads); !devices)
    return report(devices.error());
  for (const int early : {search::pause_signal, search::continue_signal}) std::signal(early, SIG_IGN);
  auto journal = search::Journal::open(plan->folder);
  if (!journal) return report(journal.error());
  if (const Status begun = begin_or_continue(*journal, *plan, *std::move(definition)); !begun)
    return report(begun.error());
  return StudyProcess(*journal, *plan, o.jobs, o.minutes, o.output).run(o.trials, o.repeats);
}

std::vector<std::string> sampler_names() {
  std::vector<std::string> names;
  for (const search::Sampler* s : search::all_samplers()) names.emplace_back(s->name);
  return names;
}
std::vector<std::string> pruner_names() {
  std::vector<std::string> names;
  for (const search::Pruner* p : search::all_pruners()) names.emplace_back(p->name);
  return names;
}

}  // namespace

void add_sweep(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("sweep", "Search for the best settings of a project; each trial is a run");
  auto o = std::make_shared<SweepOptions>();
  command->add_option("FILE", o->file, "Project file, or a template's name")->required();
  command->add_option("--space", o->space,
                      "JSON file of the fields that vary and their ranges; default: those marked in the project");
  command->add_option("--trials", o->trials, "Number of trials in all")
      ->required()
      ->check(CLI::Range(std::int64_t{1}, search::most_trials));
  command->add_option("--dir", o->folder, "Folder of the study; the same command again goes on with it")->required();
  command->add_option("--data", o->data, "Folder, archive or file of the data set; the format is detected");
  command->add_option("--device", o->device, "cpu; cuda:0; as for train");
  command->add_option("--epochs", o->epochs, "Epochs of a whole trial")
      ->check(CLI::Range(std::int64_t{1}, most_epochs));
  command->add_option("--validation", o->validation, "Fraction of the training images used for validation");
  command
      ->add_option(
          "--objective", o->objectives,
          "accuracy, loss, parameters, multiply_adds, seconds or energy, with :max or :min; default: accuracy. "
          "Repeat it for a second objective: the result is a Pareto front")
      ->allow_extra_args(false)
      ->delimiter('\0');
  command->add_option("--sampler", o->sampler, "How points are proposed")->check(CLI::IsMember(sampler_names()));
  command->add_option("--pruner", o->pruner, "How trials are cut short")->check(CLI::IsMember(pruner_names()));
  command->add_option("--first-rung", o->first_rung, "asha: epochs until a trial pauses for the first time")
      ->check(CLI::Range(std::int64_t{1}, most_epochs));
  command->add_option("--reduction", o->reduction, "asha: one of so many trials of a rung is trained to the next one")
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{1000}));
  command->add_option("--seed", o->seed, "Seed of the proposed points");
  command->add_option("--jobs", o->jobs, "Trials that are trained at the same time; they share the processor's cores")
      ->check(CLI::Range(std::size_t{1}, std::size_t{256}));
  command->add_option("--minutes", o->minutes, "End after so many minutes; the same command again goes on")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--repeat-best", o->repeats,
                   "When the study is done, train its best trial again with so many other seeds and say the spread")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100}));
  command->add_flag("--json", o->output.json,
                    "Print the journal's records as JSON lines; the last line has type \"ended\"");
  command->add_flag("--quiet,-q", o->output.quiet, "Print results and warnings only");
  command->footer(
      "Example:\n"
      "  netwright-cli sweep lenet5 --space space.json --trials 30 --epochs 9 --pruner asha --dir study");
  command->callback([=, &chosen] { chosen = [o] { return sweep(*o); }; });
}

}  // namespace nw::cli
