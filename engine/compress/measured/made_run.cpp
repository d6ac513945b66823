// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/measured/made_run.hpp"

#include <chrono>

namespace nw::compress {
namespace {

std::string folder_name(const fs::path& run) {
  const fs::path whole = fs::absolute(run).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

/// The events of a run that is finished: what lists of runs read.
Status write_events(const fs::path& run, const RunDefinition& d, const Saved& saved) {
  Started started{.time = d.created, .name = d.name, .device = "cpu"};
  started.metric = metric_of(target_kind(d.doc.data()));
  Ended ended{.reason = EndReason::finished, .step = saved.step};
  std::string lines;
  for (const Event& e : {Event{0, started}, Event{0, saved}, Event{0, ended}}) lines += event_line(e) + "\n";
  return save_file(run / events_file, lines, 0600, Links::replace);
}

Result<fs::path> folder_for(const fs::path& to, RunDefinition& definition) {
  if (to.empty()) return create_run_folder(runs_folder(), definition);
  NW_TRY(refuse_taken(to));
  NW_TRY(write_run_definition(to, definition));
  return to;
}

std::int64_t model_bytes(const fs::path& run, const std::string& checkpoint) {
  std::error_code error;
  const auto bytes = fs::file_size(run / "checkpoints" / checkpoint / "model.safetensors", error);
  return error ? 0 : static_cast<std::int64_t>(bytes);
}

}  // namespace

Result<CheckpointName> chosen_checkpoint(const fs::path& run, const std::string& checkpoint) {
  if (checkpoint == "best") return best_checkpoint(run);
  if (checkpoint == "latest") return latest_checkpoint(run);
  return CheckpointName{checkpoint, checkpoint_step(checkpoint).value_or(0)};
}

Status refuse_taken(const fs::path& to) {
  std::error_code ignored;
  if (fs::exists(to / "run.json", ignored) || (fs::exists(to, ignored) && !fs::is_empty(to, ignored)))
    return fail(Errc::usage, NW_TR("{0} exists already and is not empty"), to.string());
  return {};
}

Result<MadeFolder> write_made_run(fs::path to, const fs::path& of, const CheckpointName& from, RunDefinition definition,
                                  std::vector<std::string> choices, std::vector<TensorSource> weights) {
  definition.parent = folder_name(of);
  definition.parent_step = -1;
  definition.weights = definition.weights_sha256 = "";
  definition.created = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  definition.choices = std::move(choices);
  NW_ASSIGN(to, folder_for(to, definition));
  NW_ASSIGN(Saved saved, save_checkpoint(to, {.step = from.step}, std::move(weights), {}));
  saved.best = true;
  NW_TRY(point_at_checkpoint(to, "best", saved.checkpoint));
  NW_TRY(write_events(to, definition, saved));
  return MadeFolder{to, model_bytes(of, from.name), model_bytes(to, saved.checkpoint)};
}

}  // namespace nw::compress
