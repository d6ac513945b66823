// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <set>
#include <system_error>

#include "engine/compile/compile.hpp"
#include "engine/core/newer_format.hpp"
#include "engine/runs/contained.hpp"

namespace nw {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 53;
constexpr std::uint64_t most_optimizer_states = 8;  // values of an optimizer for each weight

Json manifest_entry(const fs::path& file, Status& status) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  auto hash = xxh3_of_file(file);
  if (!hash && status) status = hash.error();
  return {{"bytes", error ? 0 : bytes}, {"xxh3", hash ? hex(*hash) : ""}};
}

/// Writes the progress, then the manifest of all files.
Status write_state(const fs::path& folder, const Progress& progress) {
  NW_TRY(save_file(folder / "state.json", canonical(to_json(progress)), 0600, Links::replace));
  Json manifest = {{"schema", 1}, {"step", progress.step}, {"files", Json::object()}};
  Status status;
  for (const char* name : {"model.safetensors", "optimizer.safetensors", "state.json"})
    manifest["files"][name] = manifest_entry(folder / name, status);
  NW_TRY(status);
  return save_file(folder / "manifest.json", canonical(manifest), 0600, Links::replace);
}

/// Writes all files into `folder`, the manifest last; returns the bytes written.
Result<std::uint64_t> write_files(const fs::path& folder, const Progress& progress, std::vector<TensorSource> model,
                                  std::vector<TensorSource> optimizer) {
  NW_ASSIGN(std::uint64_t bytes, write_safetensors(folder / "model.safetensors", std::move(model),
                                                   {{"format", "pt"}, {"step", std::to_string(progress.step)}}, 0600));
  NW_ASSIGN(const std::uint64_t more, write_safetensors(folder / "optimizer.safetensors", std::move(optimizer),
                                                        {{"step", std::to_string(progress.step)}}, 0600));
  NW_TRY(write_state(folder, progress));
  return bytes + more;
}

/// Renames a finished folder to its final name; an existing folder of that name is exchanged, so that a complete one
/// exists at any time.
Status publish(const fs::path& hidden, const fs::path& named) {
  if (::rename(hidden.c_str(), named.c_str()) == 0) return sync_folder(named.parent_path());
  const bool taken = errno == EEXIST || errno == ENOTEMPTY;
  if (!taken || ::renameat2(AT_FDCWD, hidden.c_str(), AT_FDCWD, named.c_str(), RENAME_EXCHANGE) != 0)
    return fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), named.string(), std::strerror(errno));
  NW_TRY(sync_folder(named.parent_path()));
  std::error_code ignored;
  fs::remove_all(hidden, ignored);
  return {};
}

/// A link in the place of a checkpoint is removed, not what it points to.
void remove_checkpoint(const fs::path& folder) {
  std::error_code ignored;
  if (fs::is_directory(fs::symlink_status(folder, ignored)))
    fs::remove(folder / "manifest.json", ignored);  // incomplete from here on
  fs::remove_all(folder, ignored);
}

Result<SafetensorsFile> open_tensors(const fs::path& run, const std::string& inside) {
  const std::string where = (run / inside).string();  // first: the descriptor belongs to nobody until it is passed on
  NW_ASSIGN(const int fd, open_inside(run, inside));
  return SafetensorsFile::from_descriptor(fd, where);
}

/// Values from which training cannot continue, because all results would be non-finite. An optimizer's running squares
/// may be infinite, which only stops the updates of their weight.
Status check_numbers(const SafetensorsFile& file, bool infinity_allowed) {
  constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
  std::vector<float> values;
  const auto wrong = [&](float v) { return infinity_allowed ? std::isnan(v) : !std::isfinite(v); };
  for (const TensorInfo& t : file.header().tensors) {
    if (t.dtype != "F32") continue;
    for (std::uint64_t at = 0; at < t.bytes(); at += piece_bytes) {
      values.resize(std::min(piece_bytes, t.bytes() - at) / sizeof(float));
      NW_TRY(file.read_part(t, at, std::as_writable_bytes(std::span(values))));
      if (std::any_of(values.begin(), values.end(), wrong))
        return fail(Errc::bad_input,
                    NW_TR("{0}: \"{1}\" holds numbers that are not finite; the checkpoint cannot be used"),
                    file.where(), t.name);
    }
  }
  return {};
}

/// The tensors must be no larger than those of the network: a file of a few bytes may claim, and have, a size that
/// takes hours to read. Checked before anything else, so a file that cannot be opened is left to verify_checkpoint.
Status check_size(const fs::path& run, const std::string& inside, std::uint64_t network_bytes) {
  constexpr std::uint64_t room = std::uint64_t{1} << 20;  // for what predictions do not need
  const auto file = open_tensors(run, inside);
  if (!file) return {};
  std::uint64_t bytes = 0;
  for (const TensorInfo& t : file->header().tensors) bytes += t.bytes();
  if (bytes <= 2 * network_bytes + room) return {};
  return fail(Errc::bad_input,
              NW_TR("{0} holds {1} bytes of weights, the network has {2}: it belongs to another network"),
              file->where(), bytes, network_bytes);
}

void read_knobs(JsonReader& r, std::map<std::string, double>& knobs) {
  constexpr std::size_t most_knobs = 4096;
  const Json* all = r.has("knobs") ? r.child("knobs", Json::value_t::object) : nullptr;
  if (!all) return;
  if (all->size() > most_knobs) return r.problem(text(NW_TR("lists more than {0} run-time settings"), most_knobs));
  for (const auto& [name, value] : all->items()) {
    if (value.is_number() && name.size() <= 1024)
      knobs[name] = value.get<double>();
    else
      r.problem(text(NW_TR("has a {0} that is no number"), "knobs"));
  }
}

}  // namespace

Json to_json(const Progress& p) {
  return {{"schema", 1},
          {"step", p.step},
          {"epoch", p.epoch},
          {"batch", p.batch},
          {"loss_sum", p.loss_sum},
          {"correct", p.correct},
          {"samples", p.samples},
          {"seconds", p.seconds},
          {"learning_rate", p.learning_rate},
          {"best_accuracy", p.best_accuracy},
          {"best_loss", p.best_loss},
          {"best_epoch", p.best_epoch},
          {"train_samples", p.train_samples},
          {"trained_s", p.trained_s},
          {"images", p.images},
          {"loss_scale", p.loss_scale},
          {"good_steps", p.good_steps},
          {"improved_epoch", p.improved_epoch},
          {"improved_figure", p.improved_figure},
          {"plateau_scale", p.plateau_scale},
          {"plateau_best", p.plateau_best},
          {"plateau_waited", p.plateau_waited},
          {"plateau_began", p.plateau_began},
          {"averaged_epochs", p.averaged_epochs},
          {"last_averaged", p.last_averaged},
          {"knobs", p.knobs}};
}

Result<Progress> progress_from_json(const Json& json, std::string_view where) {
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("{0} is not the state of a run"), where);
  JsonReader r(json, std::string(where));
  if (const std::int64_t schema = r.integer("schema", 1, std::int64_t{1} << 31); schema > 1)
    return newer_format(json, where, schema, 1);
  Progress p;
  p.step = r.integer("step", 0, most);
  p.epoch = r.integer("epoch", 0, most);
  p.batch = r.integer("batch", 0, most);
  p.loss_sum = r.real("loss_sum");
  p.correct = r.integer("correct", 0, most);
  p.samples = r.integer("samples", 0, most);
  p.seconds = r.real("seconds");
  p.learning_rate = r.real("learning_rate");
  p.best_accuracy = r.real("best_accuracy");
  p.best_loss = r.real("best_loss");
  p.best_epoch = r.integer("best_epoch", 0, most);
  p.train_samples = r.integer("train_samples", 0, most);
  p.trained_s = r.real("trained_s");
  p.images = r.integer("images", 0, most);
  p.loss_scale = r.real_or("loss_scale", 0);
  p.good_steps = r.integer_or("good_steps", 0, 0, most);
  p.improved_epoch = r.integer_or("improved_epoch", p.best_epoch, 0, most);
  p.improved_figure = r.real_or("improved_figure", 0);
  p.plateau_scale = r.real_or("plateau_scale", 1);
  p.plateau_best = r.real_or("plateau_best", 0);
  p.plateau_waited = r.integer_or("plateau_waited", 0, 0, most);
  p.plateau_began = r.boolean_or("plateau_began", false);
  p.averaged_epochs = r.integer_or("averaged_epochs", 0, 0, most);
  p.last_averaged = r.integer_or("last_averaged", 0, 0, most);
  read_knobs(r, p.knobs);
  NW_TRY(r.status());
  return p;
}

Result<Saved> save_checkpoint(const fs::path& run, const Progress& progress, std::vector<TensorSource> model,
                              std::vector<TensorSource> optimizer) {
  const std::string name = checkpoint_name(progress.step);
  const fs::path all = run / "checkpoints", hidden = all / (".saving-" + name);
  std::error_code ignored;
  fs::remove_all(hidden, ignored);
  NW_TRY(make_folder_inside(all, 0700));  // a run folder that was moved away is not made again
  NW_TRY(make_folder_inside(hidden, 0700));
  const auto bytes = write_files(hidden, progress, std::move(model), std::move(optimizer));
  Status done = bytes ? sync_folder(hidden) : Status(bytes.error());
  if (done) done = publish(hidden, all / name);
  if (!done) {
    fs::remove_all(hidden, ignored);
    return done.error();
  }
  NW_TRY(point_at_checkpoint(run, "latest", name));
  return Saved{name, progress.step, static_cast<std::int64_t>(*bytes), false};
}

Status change_progress(const fs::path& run, const std::string& name, const Progress& progress) {
  return write_state(run / "checkpoints" / name, progress);
}

Status point_at_checkpoint(const fs::path& run, const char* pointer, const std::string& name) {
  return save_file(run / pointer, name + "\n", 0600, Links::replace);
}

void prune_checkpoints(const fs::path& run, std::int64_t keep) {
  const auto whole = list_checkpoints(run);
  std::set<std::string> kept;
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (static_cast<std::int64_t>(whole.size() - i) <= std::max<std::int64_t>(1, keep)) kept.insert(whole[i].name);
  if (const auto latest = latest_checkpoint(run)) kept.insert(latest->name);
  if (const auto best = best_checkpoint(run)) kept.insert(best->name);
  std::vector<fs::path> old;
  std::error_code error;
  for (fs::directory_iterator it(run / "checkpoints", error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if ((checkpoint_step(name) && !kept.contains(name)) || name.starts_with(".saving-")) old.push_back(it->path());
  }
  for (const fs::path& folder : old) remove_checkpoint(folder);
}

std::uint64_t weight_bytes_of(const RunDefinition& d) {
  DataFacts facts;
  facts.channels = d.channels;
  facts.height = d.height;
  facts.width = d.width;
  facts.classes = static_cast<std::int64_t>(d.classes.size());
  const std::int64_t parameters = analyse(d.doc, {.data = facts}).parameters;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::max<std::int64_t>(0, parameters)) * sizeof(float));
}

Result<LoadedCheckpoint> open_checkpoint(const fs::path& run, const std::string& name, std::uint64_t model_bytes) {
  const std::string folder = "checkpoints/" + name + "/";
  if (model_bytes > 0 && checkpoint_step(name)) {
    NW_TRY(check_size(run, folder + "model.safetensors", model_bytes));
    NW_TRY(check_size(run, folder + "optimizer.safetensors", most_optimizer_states * model_bytes));
  }
  NW_TRY(verify_checkpoint(run, name));
  NW_ASSIGN(const std::string state, read_inside(run, folder + "state.json", 1 << 20));
  const std::string where = (run / folder / "state.json").string();
  NW_ASSIGN(const Json json, parse_json(state, where));
  NW_ASSIGN(const Progress progress, progress_from_json(json, where));
  if (progress.step != checkpoint_step(name))
    return fail(Errc::bad_input,
                NW_TR("{0} names step {1}, which differs from its folder's: the checkpoint is damaged"), where,
                progress.step);
  NW_ASSIGN(SafetensorsFile model, open_tensors(run, folder + "model.safetensors"));
  NW_ASSIGN(SafetensorsFile optimizer, open_tensors(run, folder + "optimizer.safetensors"));
  NW_TRY(check_numbers(model, false));
  NW_TRY(check_numbers(optimizer, true));
  return LoadedCheckpoint{progress, std::move(model), std::move(optimizer)};
}

}  // namespace nw
