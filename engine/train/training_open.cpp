// SPDX-License-Identifier: Apache-2.0
// How a run comes to life: folder, data, network, weights, reporting.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "engine/core/version.hpp"
#include "engine/train/training.hpp"

namespace nw {
namespace {

double unix_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string device_names(const std::vector<FoundDevice>& devices) {
  std::string names;
  for (const FoundDevice& d : devices) names += (names.empty() ? "" : ", ") + d.name;
  return names + " (" + devices.front().device->description() + ")";
}

/// "cuda:1" -> 1: the driver and its management library count GPUs alike, in the order of their slots.
std::vector<int> gpus_of(const std::vector<std::string>& devices) {
  std::vector<int> gpus;
  for (const std::string& name : devices)
    if (name.rfind("cuda", 0) == 0) gpus.push_back(name.size() > 5 ? std::atoi(name.c_str() + 5) : 0);
  return gpus;
}

/// Leftovers of saves that a crash cut short.
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

}  // namespace

Status check_run_folder(const fs::path& run) {
  struct stat info {};
  for (const char* name : {"run.json", "lock", "events.jsonl", "metrics.csv", "metrics.bin", "probes.bin",
                           "statistics.jsonl", "latest", "best"})
    if (::lstat((run / name).c_str(), &info) == 0 && !S_ISREG(info.st_mode))
      return fail(Errc::bad_input, NW_TR("{0} is not a plain file; this folder is not used"), (run / name).string());
  if (::lstat((run / "checkpoints").c_str(), &info) == 0 && !S_ISDIR(info.st_mode))
    return fail(Errc::bad_input, NW_TR("{0} is not a folder; this run is not used"), (run / "checkpoints").string());
  return {};
}

Training::Training(TrainRequest request, TrainControl& control, EventSink& sink)
    : request_(std::move(request)), control_(control), sink_(sink) {}
Training::~Training() = default;

Status Training::open() {
  NW_TRY(open_folder());
  last_words_.emplace([this](const Error& e) { say_hung(e); });
  // A run that cannot begin says so in its own log; one that cannot go on is left as it was, to be resumed another day.
  if (!request_.resume) NW_TRY(open_reporting());
  NW_ASSIGN(data_, open_training_data(request_.definition, request_.allow_synthetic, request_.resume));
  prepared_from_ = std::chrono::steady_clock::now();
  NW_TRY(open_network());
  NW_TRY(open_weights());
  if (request_.resume) NW_TRY(open_reporting());
  NW_TRY(open_probes());
  if (!request_.resume) post(started_);
  for (const Text& note : notes_) post(Health{"warning", note, progress_.step});
  for (const Text& note : data_.notes) post(Health{"warning", note, progress_.step});
  if (files_) recorder_->watch_machine(gpus_of(settings().devices));
  return {};
}

// Where the run began is what its definition says, whatever it goes on on.
Status Training::choose_other_devices() {
  if (request_.devices.empty()) return {};
  TrainSettings s = settings();
  s.devices = request_.devices;
  NW_ASSIGN(const Edit undo, request_.definition.doc.apply({PutSettings{s}}));
  (void)undo;
  return {};
}

Status Training::open_folder() {
  RunDefinition& definition = request_.definition;
  if (definition.version.empty()) definition.version = version();
  if (definition.created == 0) definition.created = unix_time();
  if (request_.run.empty()) return {};
  if (request_.resume) {
    NW_ASSIGN(definition, read_run_definition(request_.run));  // first: nothing is made where there is no run
    NW_TRY(choose_other_devices());
    // Before the lock is taken: a run whose lock is held counts as running.
    NW_ASSIGN(const RunSummary before, summarize_run(request_.run));
    if (before.status == RunStatus::finished)
      return fail(Errc::usage, NW_TR("{0} has finished; there is nothing left to train"), request_.run.string());
    steps_before_ = before.steps;
  } else {
    NW_TRY(make_folder(request_.run, 0700));
  }
  NW_TRY(check_run_folder(request_.run));
  auto lock = FileLock::take(request_.run / "lock");
  if (!lock && lock.error().code == Errc::other)
    return fail(Errc::other, NW_TR("{0} is being trained by another process; it cannot be trained twice at once"),
                request_.run.string());
  if (!lock) return lock.error();
  lock_ = *std::move(lock);
  remove_half_saved(request_.run);
  if (request_.resume) return restore();
  std::error_code ignored;
  if (fs::exists(request_.run / "events.jsonl", ignored))
    return fail(Errc::usage, NW_TR("{0} holds a run already; resume it, or choose another folder"),
                request_.run.string());
  return write_run_definition(request_.run, definition);
}

// Where the run left off; tensors follow once the network is there.
Status Training::restore() {
  NW_ASSIGN(const CheckpointName latest, latest_checkpoint(request_.run));
  auto opened = open_checkpoint(request_.run, latest.name);
  std::vector<CheckpointName> older = list_checkpoints(request_.run);
  for (auto it = older.rbegin(); !opened && it != older.rend(); ++it)
    if (it->name != latest.name) opened = open_checkpoint(request_.run, it->name);
  if (!opened) return opened.error();
  progress_ = opened->progress;
  images_before_ = progress_.images;
  step_seen_ = progress_.step;
  epoch_seen_ = progress_.epoch;
  saved_step_ = progress_.step;
  return {};
}

Status Training::open_reporting() {
  if (!request_.run.empty()) {
    NW_ASSIGN(files_, RunFiles::open(request_.run, progress_.step));
    auto server = ControlServer::start(request_.run, [this](std::string_view line) { return answer(line); });
    recorder_.emplace(sink_, files_.get());
    if (server)
      server_ = *std::move(server);
    else
      notes_.push_back(server.error().what);
  } else {
    recorder_.emplace(sink_, nullptr);
  }
  if (request_.resume) post(Resumed{progress_.step, ::getpid(), unix_time()});
  return {};
}

Status Training::open_network() {
  NW_ASSIGN(std::vector<FoundDevice> devices, find_devices(settings().devices, settings().threads, request_.backend));
  const std::vector<FoundDevice> used = devices;
  NW_ASSIGN(replicas_, Replicas::make(request_.definition.doc, data_.facts, std::move(devices), request_.profile));
  if (request_.profile) profile_.emplace(replicas_->plan());
  for (const auto* maker : {&data_.train, &data_.validation, &data_.test})
    if (*maker) NW_TRY(replicas_->keep(**maker));
  splitter_ = std::make_unique<StepSplitter>(StepSplitter::Place{replicas_->threads(), replicas_->own_memory()});
  steps_per_epoch_ = batches_per_epoch(source(*data_.train, true));
  const bool told = request_.statistics_steps > 0 || (request_.statistics_steps < 0 && !request_.run.empty());
  if (told)
    layers_ =
        std::make_unique<LayerRecorder>(request_.definition.doc, data_.facts, *data_.train, request_.statistics_steps);
  started_ = started_event(used);
  return {};
}

Started Training::started_event(const std::vector<FoundDevice>& devices) const {
  const auto count = [](const std::vector<std::int64_t>& split) { return static_cast<std::int64_t>(split.size()); };
  return {.time = unix_time(),
          .name = request_.definition.name,
          .device = device_names(devices),
          .epochs = settings().epochs,
          .steps_per_epoch = steps_per_epoch_,
          .batch = settings().batch,
          .parameters = replicas_->parameters(),
          .memory_bytes = replicas_->memory_bytes(),
          .train = count(data_.splits.train),
          .validation = count(data_.splits.validation),
          .test = count(data_.splits.test),
          .pid = ::getpid(),
          .measure = measure_of(data_.facts.targets)};
}

Status Training::open_weights() {
  const std::int64_t samples = data_.train->size();
  if (!request_.resume) {
    NW_TRY(replicas_->start_weights(settings().seed));
    progress_.train_samples = samples;
    request_.definition.choices = replicas_->choices();
    return request_.run.empty() ? Status() : write_run_definition(request_.run, request_.definition);
  }
  if (progress_.train_samples != samples || progress_.batch > steps_per_epoch_)
    return fail(Errc::bad_input, NW_TR("the run was training on {0} images, the data now holds {1}: it cannot go on"),
                progress_.train_samples, samples);
  if (request_.devices.empty()) compare_choices();
  NW_ASSIGN(const OpenedCheckpoint checkpoint, open_checkpoint(request_.run, checkpoint_name(progress_.step)));
  replicas_->set_loss_scale({progress_.loss_scale, progress_.good_steps});
  return replicas_->restore(checkpoint.model, checkpoint.optimizer);
}

Status Training::open_probes() {
  if (request_.run.empty()) return {};
  NW_ASSIGN(probes_, Probes::open(request_.run, data_, request_.definition, *replicas_, request_.probes,
                                  steps_per_epoch_ * settings().epochs, progress_.step));
  return {};
}

// Another implementation of the same product adds up in another order: nobody should wonder later why the numbers are
// others.
void Training::compare_choices() {
  const std::vector<std::string>&then = request_.definition.choices, now = replicas_->choices();
  const auto [old, other] = std::mismatch(then.begin(), then.end(), now.begin(), now.end());
  if (old == then.end() && other == now.end()) return;
  notes_.push_back(text(NW_TR("Other kernels compute this run than when it began (\"{0}\", then \"{1}\"): its numbers "
                              "may differ in their last digits."),
                        other == now.end() ? "" : *other, old == then.end() ? "" : *old));
}

void Training::post(decltype(Event::what) what) { recorder_->post(std::move(what)); }

}  // namespace nw
