// SPDX-License-Identifier: Apache-2.0
#include "engine/train/branch.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <system_error>

#include "engine/compile/compile.hpp"
#include "engine/core/version.hpp"
#include "engine/runs/began.hpp"
#include "engine/runs/contained.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/train/initial_weights.hpp"
#include "engine/train/knob_changes.hpp"
#include "engine/train/knobs.hpp"

namespace nw {
namespace {

std::optional<std::int64_t> whole_number(std::string_view word) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (word.empty() || error != std::errc() || end != word.data() + word.size() || n < 0) return std::nullopt;
  return n;
}

Result<std::int64_t> step_of(const BranchPlan& plan) {
  constexpr std::string_view epoch = "epoch";
  if (const auto step = whole_number(plan.from)) return *step;
  const auto wanted =
      plan.from.starts_with(epoch) ? whole_number(std::string_view(plan.from).substr(epoch.size())) : std::nullopt;
  if (!wanted)
    return fail(Errc::usage, NW_TR("\"{0}\" is no checkpoint: give a step, epochN, latest or best"),
                plan.from.substr(0, 80));
  for (const EpochEnd& e : recorded_epochs(plan.parent))
    if (e.epoch == *wanted) return e.step;
  return fail(Errc::usage, NW_TR("{0} has not trained epoch {1}"), plan.parent.string(), *wanted);
}

Result<CheckpointName> checkpoint_of(const BranchPlan& plan) {
  if (plan.from == "latest") return latest_checkpoint(plan.parent);
  if (plan.from == "best") return best_checkpoint(plan.parent);
  NW_ASSIGN(const std::int64_t step, step_of(plan));
  const std::vector<CheckpointName> all = list_checkpoints(plan.parent);
  std::string steps;
  for (const CheckpointName& c : all) {
    if (c.step == step) return c;
    steps += (steps.empty() ? "" : ", ") + std::to_string(c.step);
  }
  if (all.empty()) return fail(Errc::bad_input, NW_TR("{0} holds no complete checkpoint"), plan.parent.string());
  return fail(Errc::usage, NW_TR("{0} has no checkpoint of step {1}; it has those of {2}"), plan.parent.string(), step,
              steps);
}

/// The branch's document: the parent's as it was at the checkpoint, or another project, with the changes.
Result<GraphDoc> changed_doc(const BranchPlan& plan, const RunDefinition& parent, std::int64_t epochs) {
  GraphDoc doc = plan.project ? *plan.project : parent.doc;
  TrainSettings s = doc.settings();
  if (!plan.project) s.epochs = epochs;
  if (!plan.devices.empty()) s.devices = plan.devices;
  NW_ASSIGN(const Edit undo, doc.apply({PutSettings{s}}));
  (void)undo;
  for (const std::string& change : plan.settings) { NW_ASSIGN(doc, with_setting(doc, change)); }
  return doc;
}

bool changes_rate(const BranchPlan& plan) {
  return std::any_of(plan.settings.begin(), plan.settings.end(), [](const std::string& s) {
    return s.starts_with("learning_rate=") || s.starts_with("schedule=");
  });
}

std::vector<std::string> sorted_kinds(const TrainSettings& s) {
  std::vector<std::string> kinds;
  for (const std::string& d : s.devices) kinds.push_back(d.substr(0, d.find(':')));
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

Result<std::vector<CarriedWeight>> compare_weights(const RunDefinition& d, const SafetensorsFile& model) {
  DataFacts facts;
  facts.channels = d.channels;
  facts.height = d.height;
  facts.width = d.width;
  facts.classes = static_cast<std::int64_t>(d.classes.size());
  NW_ASSIGN(const Compiled c, compile(d.doc, {.training = false, .data = facts}));
  std::vector<CarriedWeight> all;
  for (const Value& v : c.plan.values) {
    if (v.role != Role::weight) continue;
    CarriedWeight w{.name = v.name, .shape = {}, .in_parent = {}};
    for (int i = 0; i < v.shape.rank(); ++i) w.shape.push_back(v.shape[i]);
    if (const TensorInfo* info = model.find(name_in_files(v))) w.in_parent = info->shape;
    all.push_back(std::move(w));
  }
  std::reverse(all.begin(), all.end());  // the flat region is in reverse order of the layers
  return all;
}

/// Run-time settings are in the branch's definition. Where batches are other ones, the epoch begins anew.
Progress branch_progress(const BranchPlan& plan, Progress p, const RunDefinition& parent, const RunDefinition& d,
                         bool same_network) {
  const bool other_data = d.mean.empty();
  p.knobs.clear();
  if (changes_rate(plan) || plan.project) p.learning_rate = -1;
  if (other_data) p.train_samples = 0;
  // a mean of other weights, or one that is no longer wanted
  if (d.doc.settings().swa_start == 0 || !same_network) p.averaged_epochs = p.last_averaged = 0;
  const auto per_update = [](const RunDefinition& r) { return r.doc.settings().samples_per_update(); };
  if (!other_data && per_update(parent) == per_update(d)) return p;
  p.batch = p.samples = p.correct = 0;
  p.loss_sum = p.seconds = 0;
  return p;
}

/// What the branch keeps of the parent's history: nothing after the step, and nothing about its process.
bool belongs(const Event& e, std::int64_t step) {
  if (const auto* s = std::get_if<Steps>(&e.what)) return s->last <= step;
  if (const auto* s = std::get_if<EpochEnd>(&e.what)) return s->step <= step;
  if (const auto* s = std::get_if<Knob>(&e.what)) return s->step < step && s->name != epochs_knob;
  if (const auto* s = std::get_if<LayerStatistics>(&e.what)) return s->step <= step;
  return std::holds_alternative<Started>(e.what);
}

Status copy_events(const BranchPlan& plan, const Branch& b, const char* file) {
  EventTail tail(plan.parent, file);
  std::string lines;
  for (bool more = true; more;) {
    std::vector<Event> events;
    const auto read = tail.poll(events);
    if (!read) return file == std::string_view(statistics_file) ? Status() : read.error();
    more = *read;
    for (Event& e : events) {
      if (!belongs(e, b.step)) continue;
      if (auto* s = std::get_if<Started>(&e.what)) s->epochs = b.request.definition.doc.settings().epochs;
      lines += event_line(e) + "\n";
    }
  }
  return lines.empty() ? Status() : save_file(plan.run / file, lines, 0600, Links::replace);
}

struct OpenedFile {
  int fd;
  ~OpenedFile() { ::close(fd); }
};

Status copy_file(const BranchPlan& plan, const std::string& inside) {
  NW_ASSIGN(const int fd, open_inside(plan.parent, inside));
  const OpenedFile from{fd};
  NW_ASSIGN(AtomicFile to, AtomicFile::create(plan.run / inside, 0600, Links::replace));
  std::vector<std::byte> piece(std::size_t{1} << 20);
  for (;;) {
    const ssize_t n = ::read(from.fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return fail(Errc::disk, NW_TR("{0} cannot be read: {1}"), (plan.parent / inside).string(), std::strerror(errno));
    if (n == 0) return to.commit();
    NW_TRY(to.write(std::span(piece).first(static_cast<std::size_t>(n))));
  }
}

/// A file of measurements that resuming cuts to the step; it may be missing.
Status copy_measured(const BranchPlan& plan, const char* file) {
  return size_inside(plan.parent, file) ? copy_file(plan, file) : Status();
}

Status copy_checkpoint(const BranchPlan& plan, const std::string& name) {
  const fs::path folder = fs::path("checkpoints") / name;
  NW_TRY(make_folder(plan.run / "checkpoints", 0700));
  NW_TRY(make_folder(plan.run / folder, 0700));
  for (const char* file : {"model.safetensors", "optimizer.safetensors"})
    NW_TRY(copy_file(plan, (folder / file).string()));
  return {};
}

}  // namespace

Result<Branch> plan_branch(const BranchPlan& plan) {
  NW_ASSIGN(const RunDefinition parent, read_run_definition(plan.parent));
  NW_ASSIGN(const RunSummary summary, summarize_run(plan.parent));
  NW_ASSIGN(const CheckpointName checkpoint, checkpoint_of(plan));
  NW_ASSIGN(const LoadedCheckpoint state, open_checkpoint(plan.parent, checkpoint.name, weight_bytes_of(parent)));
  Branch b;
  b.step = checkpoint.step;
  RunDefinition& d = b.request.definition = parent;
  NW_TRY(apply_runtime_settings(d, state.progress));
  const std::int64_t epochs = summary.extended_from_step >= 0 ? summary.epochs : d.doc.settings().epochs;
  NW_ASSIGN(d.doc, changed_doc(plan, d, epochs));
  d.parent = fs::weakly_canonical(plan.parent).filename().string();
  d.parent_step = checkpoint.step;
  d.created = 0;
  NW_ASSIGN(b.weights, compare_weights(d, state.model));
  b.same_network = std::all_of(b.weights.begin(), b.weights.end(), [](const CarriedWeight& w) { return w.carried(); });
  b.bit_exact = sorted_kinds(d.doc.settings()) == sorted_kinds(parent.doc.settings());
  b.request.other_data = !(d.doc.data() == parent.doc.data());
  if (b.request.other_data) d.mean.clear(), d.deviation.clear(), d.class_counts.clear();
  b.progress = branch_progress(plan, state.progress, parent, d, b.same_network);
  b.request.run = plan.run;
  b.request.resume = true;
  return b;
}

Status write_branch(const BranchPlan& plan, const Branch& b) {
  NW_TRY(make_folder(plan.run, 0700));
  if (run_began(plan.run))
    return fail(Errc::usage, NW_TR("{0} holds a run already; resume it, or choose another folder"), plan.run.string());
  const std::string name = checkpoint_name(b.step);
  NW_TRY(copy_checkpoint(plan, name));
  NW_TRY(change_progress(plan.run, name, b.progress));
  NW_TRY(copy_events(plan, b, events_file));
  NW_TRY(copy_events(plan, b, statistics_file));
  for (const char* file : {"metrics.csv", "metrics.bin", "probes.bin"}) NW_TRY(copy_measured(plan, file));
  RunDefinition d = b.request.definition;
  d.version = version();
  d.created = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  NW_TRY(write_run_definition(plan.run, d));
  return point_at_checkpoint(plan.run, "latest", name);
}

}  // namespace nw
