// SPDX-License-Identifier: Apache-2.0
// Opens a run: folder, data, network, weights, reporting.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "engine/core/digest.hpp"
#include "engine/core/version.hpp"
#include "engine/design/project_file.hpp"
#include "engine/parallel/team.hpp"
#include "engine/runs/began.hpp"
#include "engine/train/training.hpp"
#include "engine/train/unfreezing.hpp"

namespace nw {
namespace {

double unix_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string device_names(const std::vector<ResolvedDevice>& devices) {
  std::string names;
  for (const ResolvedDevice& d : devices) names += (names.empty() ? "" : ", ") + d.name;
  return names + " (" + devices.front().device->description() + ")";
}

/// "cpu", "cpu", "cuda": how many of each kind there are.
std::vector<std::string> device_kinds(const std::vector<std::string>& devices) {
  std::vector<std::string> kinds;
  for (const std::string& d : devices) kinds.push_back(d.substr(0, d.find(':')));
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

/// Removes temporary files of saves that crashed.
void remove_half_saved(const fs::path& run) {
  std::error_code error;
  std::vector<fs::path> old;
  for (fs::directory_iterator it(run, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    for (const char* stem :
         {".run.json.", ".latest.", ".best.", ".metrics.csv.", ".metrics.bin.", ".probes.bin.", ".statistics.jsonl."})
      if (name.starts_with(stem)) old.push_back(it->path());
  }
  for (fs::directory_iterator it(run / "checkpoints", error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with(".saving-")) old.push_back(it->path());
  for (const fs::path& file : old) fs::remove_all(file, error);
}

/// Rejects a folder that holds a link, a pipe, a socket or a device, whatever its name, or a folder in the place of a
/// file. Other folders are the user's.
Status check_entries(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    struct stat info {};
    if (::lstat(it->path().c_str(), &info) != 0 || S_ISREG(info.st_mode)) continue;
    if (!S_ISDIR(info.st_mode) || is_run_file(it->path().filename().string()))
      return fail(Errc::bad_input, NW_TR("{0} is not a plain file; this folder is not used"), it->path().string());
  }
  if (error) return fail(Errc::disk, NW_TR("{0} cannot be read: {1}"), folder.string(), error.message());
  return {};
}

}  // namespace

Status check_run_folder(const fs::path& run) {
  struct stat info {};
  const bool saved = ::lstat((run / "checkpoints").c_str(), &info) == 0;
  if (saved && !S_ISDIR(info.st_mode))
    return fail(Errc::bad_input, NW_TR("{0} is not a folder; this run is not used"), (run / "checkpoints").string());
  if (saved) NW_TRY(check_entries(run / "checkpoints"));
  return check_entries(run);
}

Status Training::open() {
  NW_TRY(open_folder());
  NW_TRY(report_.open_control([this](std::string_view line) { return commands_.answer(line); }));
  // A run that cannot start reports this in its own log; one that cannot be resumed is left unchanged.
  if (!state_.request.resume) NW_TRY(open_report());
  NW_TRY(open_data());
  prepared_from_ = TrainingState::Clock::now();
  NW_TRY(open_network());
  NW_TRY(open_weights());
  if (state_.request.resume) NW_TRY(mending_.retry([this] { return open_report(); }));
  NW_TRY(observers_->open_tracked_samples());
  if (!state_.request.resume) {
    doc_without_knobs_ = state_.request.definition.doc;
    state_.knobs_to_come.assign(state_.request.replay.begin(), state_.request.replay.end());
  }
  commands_.allow_knobs(state_.request.definition.doc, state_.data.facts);
  loop_.emplace(EpochLoop::Parts{state_, report_, commands_, saver_, *observers_, mending_}, started_.device);
  if (!state_.request.resume) report_.post(started_);
  if (state_.replicas->pipeline()) report_.post(state_.replicas->pipeline_plan());
  if (state_.replicas->sharded())
    report_.post(Health{
        HealthLevel::note,
        text(NW_TR("The optimizer's state is divided among {0} devices: this one keeps {1} of {2} KiB."),
             state_.replicas->world(), (state_.replicas->state_bytes() - state_.replicas->saved_bytes_of(0)) >> 10,
             state_.replicas->state_bytes() >> 10),
        state_.progress.step});
  if (!settings().precision && !state_.request.resume) {
    NW_ASSIGN(const Compiled step, state_.replicas->whole_plan());
    report_.post(
        Health{HealthLevel::note, precision_choice(step.plan, state_.replicas->first().device), state_.progress.step});
  }
  show_on_board();
  for (Text& note : state_.data.notes) report_.warn(std::move(note));
  report_other_epochs();
  report_.post_warnings();
  if (!state_.request.run.empty()) watch_machine();
  return {};
}

/// What TensorBoard shows beside the figures: the settings, and some images as the first epoch sees them. Images that
/// cannot be read will be reported by the training.
void Training::show_on_board() {
  constexpr std::int64_t shown = 8;
  Json all = to_json(settings());
  const Json data = to_json(state_.request.definition.doc.data());
  for (const auto& [name, value] : data.items()) all["data." + name] = value;
  report_.add_settings(all);
  const DataFacts& facts = state_.data.facts;
  if (state_.request.resume || facts.height < 2 || facts.width < 2) return;
  std::vector<std::int64_t> order;
  state_.data.train->order(0, true, order);
  for (std::int64_t i = 0; i < std::min(shown, state_.data.train->size()); ++i)
    if (const auto image = state_.data.train->augmented(order[static_cast<std::size_t>(i)], 0))
      report_.add_image(fmt::format("train_images/{}", i), 0, *image);
}

// A run on processors does not start the driver of GPUs.
void Training::watch_machine() {
  std::vector<int> gpus = gpu_numbers(state_.own_devices);
  report_.recorder().watch_machine(gpus, gpus.empty() ? std::vector<std::string>{} : bus_ids_of_gpus());
}

// The definition names the devices on which the run started, even if it continues on others.
Status Training::choose_other_devices() {
  if (state_.request.devices.empty()) return {};
  TrainSettings s = settings();
  if (device_kinds(s.devices) != device_kinds(state_.request.devices))
    report_.warn(
        text(NW_TR("This run continues on other devices than it was started on: its numbers will not be exactly "
                   "those of an uninterrupted run.")));
  s.devices = state_.request.devices;
  NW_ASSIGN(const Edit undo, state_.request.definition.doc.apply({PutSettings{s}}));
  (void)undo;
  return {};
}

Status Training::open_folder() {
  RunDefinition& definition = state_.request.definition;
  const fs::path& run = state_.request.run;
  if (definition.version.empty()) definition.version = version();
  if (definition.created == 0) definition.created = unix_seconds();
  if (run.empty()) {
    report_.hold(std::nullopt);
    if (!state_.request.resume) return {};
    NW_TRY(read_definition());
    return restore_progress();
  }
  NW_TRY(state_.request.resume ? read_definition() : make_folder(run, 0700));
  NW_TRY(check_run_folder(run));
  auto lock = FileLock::take(run / "lock");
  if (!lock && lock.error().code == Errc::in_use)
    return fail(Errc::in_use, NW_TR("{0} is being trained by another process; it cannot be trained twice at once"),
                run.string());
  if (!lock) return lock.error();
  report_.hold(*std::move(lock));
  remove_half_saved(run);
  if (state_.request.resume) return restore_progress();
  if (run_began(run))
    return fail(Errc::usage, NW_TR("{0} holds a run already; resume it, or choose another folder"), run.string());
  remove_unbegun(run);
  return write_run_definition(run, definition);
}

Status Training::restore_progress() {
  NW_TRY(saver_.restore_progress());
  doc_without_knobs_ = state_.request.definition.doc;
  NW_TRY(plan_knobs());
  if (state_.request.epochs > 0) extended_from_step_ = state_.progress.step;
  images_before_ = state_.progress.images;
  return {};
}

// run.json keeps the number of epochs it was started with; the event `knob` records another one.
Status Training::choose_other_epochs(const RunSummary& before) {
  const std::int64_t asked = state_.request.epochs;
  if (asked < 0 || asked > most_epochs) return fail(Errc::usage, NW_TR("a run trains 1 to {0} epochs"), most_epochs);
  if (asked > 0 && asked <= before.epochs_done)
    return fail(Errc::usage, NW_TR("{0} has trained {1} epochs; --epochs is the new total and must be larger"),
                state_.request.run.string(), before.epochs_done);
  TrainSettings s = settings();
  epochs_before_ = before.extended_from_step >= 0 ? before.epochs : s.epochs;
  s.epochs = asked > 0 ? asked : epochs_before_;
  NW_ASSIGN(const Edit undo, state_.request.definition.doc.apply({PutSettings{s}}));
  (void)undo;
  return {};
}

/// Some schedules end with the last epoch, so another number of epochs moves them.
void Training::report_other_epochs() {
  const TrainSettings& s = settings();
  const Progress& p = state_.progress;
  if (state_.request.epochs == 0) return;
  report_.post(Knob{epochs_knob, static_cast<double>(s.epochs), p.step});
  if (s.epochs == epochs_before_ || !ends_with_the_run(s.schedule) || p.learning_rate >= 0) return;
  const double rate = state_.scheduled_rate();
  report_.post(Health{HealthLevel::note,
                      text(NW_TR("The learning rate follows a schedule that now ends with epoch {0} instead of {1}: "
                                 "it continues at {2}."),
                           s.epochs, epochs_before_, rate),
                      p.step});
}

// For a run to be resumed. Called first, so that nothing is created if there is no run.
Status Training::read_definition() {
  const fs::path& run = state_.request.source();
  NW_ASSIGN(state_.request.definition, read_run_definition(run));
  NW_TRY(choose_other_devices());
  // Called before the lock is acquired: a run whose lock is held counts as running.
  NW_ASSIGN(const RunSummary before, summarize_run(run));
  if (before.status == RunStatus::finished && state_.request.epochs == 0)
    return fail(Errc::usage, NW_TR("{0} has finished; there is nothing left to train. --epochs N trains it further"),
                run.string());
  NW_TRY(choose_other_epochs(before));
  state_.steps_before = before.steps;
  extended_from_step_ = before.extended_from_step;
  return {};
}

Status Training::open_report() {
  NW_TRY(report_.open());
  if (state_.request.resume) report_.post(Resumed{state_.progress.step, ::getpid(), unix_seconds()});
  return {};
}

/// Several processes on one computer take a GPU each.
void Training::choose_own_devices() {
  state_.own_devices = settings().devices;
  const ProcessGroup* const processes = state_.request.processes;
  if (!processes || gpu_numbers(state_.own_devices).empty()) return;
  const auto gpus = static_cast<int>(bus_ids_of_gpus().size());
  state_.own_devices = devices_of_process(state_.own_devices, processes->number_on_this_host(), gpus);
}

Status Training::open_network() {
  const TrainRequest& request = state_.request;
  // Processes on one machine share its processors.
  const std::int64_t threads =
      request.processes ? std::max(1, default_threads(settings().threads) / request.processes->ranks_on_this_host())
                        : settings().threads;
  choose_own_devices();
  NW_ASSIGN(const std::vector<ResolvedDevice> used, resolve_devices(state_.own_devices, threads, request.backend));
  for (Text& slower : slowed_down_by(used)) state_.data.notes.push_back(std::move(slower));
  state_.make_replicas = [this, used](std::int64_t epoch) -> Result<std::unique_ptr<Replicas>> {
    const TrainRequest& asked = state_.request;
    NW_ASSIGN(auto made,
              Replicas::make(asked.definition.doc, state_.data.facts, used, asked.profile, epoch, asked.processes));
    for (const auto* maker : {&state_.data.train, &state_.data.validation, &state_.data.test})
      if (*maker) NW_TRY(made->keep(**maker));
    return made;
  };
  NW_ASSIGN(state_.replicas, state_.make_replicas(state_.progress.epoch));
  NW_TRY(measure_pipeline());
  NW_ASSIGN(const auto teacher, distillation(request.definition.doc));
  if (teacher) { NW_ASSIGN(state_.teacher, Teacher::open(*teacher, state_.data, used.front(), settings().batch)); }
  state_.steps_per_epoch = batches_per_epoch(batches_of(state_, *state_.data.train, true));
  if (extended_from_step_ > 0) state_.patience_from_epoch = extended_from_step_ / state_.steps_per_epoch;
  observers_.emplace(state_, report_);
  started_ = started_event(used);
  return {};
}

/// With the first batch of an epoch. The weights are not set yet.
Status Training::measure_pipeline() {
  if (!state_.replicas->pipeline()) return {};
  Batches batches(batches_of(state_, *state_.data.train, true), 0, 0, 1);
  const BatchSamples* first = batches.next();
  return first ? state_.replicas->measure(*first) : Status();
}

Started Training::started_event(const std::vector<ResolvedDevice>& devices) const {
  const auto count = [](const std::vector<std::int64_t>& split) { return static_cast<std::int64_t>(split.size()); };
  const TrainingData& data = state_.data;
  return {.time = unix_seconds(),
          .name = state_.request.definition.name,
          .device = device_names(devices),
          .epochs = settings().epochs,
          .steps_per_epoch = state_.steps_per_epoch,
          .batch = settings().batch,
          .parameters = state_.replicas->parameters(),
          .memory_bytes = state_.replicas->memory_bytes() + (state_.teacher ? state_.teacher->memory_bytes() : 0),
          .train = count(data.splits.train),
          .validation = count(data.splits.validation),
          .test = count(data.splits.test),
          .pid = ::getpid(),
          .metric = metric_of(data.facts.targets)};
}

Status Training::open_weights() {
  if (state_.request.resume) return restore_weights();
  NW_TRY(state_.replicas->start_weights(settings().seed));
  if (!state_.request.weights.empty()) NW_TRY(take_weights());
  state_.progress.train_samples = state_.data.train->size();
  state_.request.definition.choices = state_.replicas->choices();
  return state_.request.run.empty() ? Status() : write_run_definition(state_.request.run, state_.request.definition);
}

/// The definition names the file, so that the run can be replayed.
Status Training::name_weights() {
  RunDefinition& d = state_.request.definition;
  NW_ASSIGN(const FileDigests digests, digests_of_file(state_.request.weights));
  std::error_code ignored;
  d.weights = fs::absolute(state_.request.weights, ignored).string();
  d.weights_sha256 = digests.sha256;
  return {};
}

// Weights of another network are no error as long as some fit: a new head is the usual case.
Status Training::take_weights() {
  const fs::path& path = state_.request.weights;
  if (const std::string& wanted = state_.request.weights_sha256; !wanted.empty()) {
    NW_ASSIGN(const FileDigests digests, digests_of_file(path));
    if (digests.sha256 != wanted)
      return fail(
          Errc::bad_input,
          NW_TR("{0} is not the file of weights that the project was made with; --weights {0} uses it all the same"),
          path.string());
  }
  NW_TRY(name_weights());
  NW_ASSIGN(const SafetensorsFile file, SafetensorsFile::open(path));
  NW_ASSIGN(const Replicas::Taken done, state_.replicas->take_weights(file, state_.request.fresh));
  if (done.taken == 0)
    return fail(Errc::bad_input, NW_TR("{0} holds no weights of this network: no name and shape agree"), path.string());
  if (!done.left.empty())
    report_.warn(text(NW_TR("{0} weights were taken from {1}; {2} begin anew, the first of them {3}"), done.taken,
                      path.string(), done.left.size(), done.left.front()));
  return {};
}

Status Training::restore_weights() {
  const Progress& p = state_.progress;
  const std::int64_t samples = state_.data.train->size();
  if (p.train_samples == 0) begin_epoch_anew();
  if (p.train_samples != samples || p.batch > state_.steps_per_epoch)
    return fail(Errc::bad_input,
                NW_TR("the run was training on {0} images, the data now holds {1}: it cannot be resumed"),
                p.train_samples, samples);
  const bool as_at_start = !unfrozen_since_start(state_.request.definition.doc, p.epoch);
  if (state_.request.devices.empty() && as_at_start && p.knobs.empty()) compare_choices();
  NW_ASSIGN(const LoadedCheckpoint checkpoint, open_checkpoint(state_.request.source(), checkpoint_name(p.step),
                                                               weight_bytes_of(state_.request.definition)));
  state_.replicas->set_loss_scale({p.loss_scale, p.good_steps});
  if (state_.request.definition.parent_step == p.step) return carry(checkpoint);
  return state_.replicas->restore(checkpoint.model, checkpoint.optimizer, p.averaged_epochs > 0);
}

/// The place in the epoch is one of other data, or of other batches.
void Training::begin_epoch_anew() {
  Progress& p = state_.progress;
  p.train_samples = state_.data.train->size();
  p.batch = p.samples = p.correct = 0;
  p.loss_sum = p.seconds = 0;
}

// A branch that has no checkpoint of its own yet: its network may be another one than the parent's.
Status Training::carry(const LoadedCheckpoint& checkpoint) {
  NW_TRY(state_.replicas->start_weights(settings().seed));
  NW_ASSIGN(const Replicas::Taken done,
            state_.replicas->carry(checkpoint.model, checkpoint.optimizer, state_.progress.averaged_epochs > 0));
  if (!done.left.empty())
    report_.warn(text(NW_TR("{0} tensors were taken over from the parent; {1} begin anew, the first of them {2}"),
                      done.taken, done.left.size(), done.left.front()));
  state_.request.definition.choices = state_.replicas->choices();
  saver_.outdate();
  return state_.request.run.empty() ? Status() : write_run_definition(state_.request.run, state_.request.definition);
}

// Another implementation of the same product sums in another order, so the reason for different results is reported.
void Training::compare_choices() {
  const std::vector<std::string>&then = state_.request.definition.choices, now = state_.replicas->choices();
  const auto [old, other] = std::mismatch(then.begin(), then.end(), now.begin(), now.end());
  if (old == then.end() && other == now.end()) return;
  report_.warn(text(NW_TR("This run now uses other kernels than at its start (\"{0}\", then \"{1}\"): its numbers may "
                          "differ in their last digits."),
                    other == now.end() ? "" : *other, old == then.end() ? "" : *old));
}

}  // namespace nw
