// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "engine/core/json.hpp"
#include "engine/runs/layer_statistics.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/runs/run_notes.hpp"
#include "engine/train/checkpoint.hpp"
#include "engine/train/loss_history.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

/// Files that are read from a run folder, and what reads each; `broken` names what did not hold.
struct RunFile {
  const char* path;
  Outcome (*read)(const fs::path& run);
};

Outcome manifest(const fs::path& run) {
  const auto all = list_checkpoints(run);
  return {verify_checkpoint(run, "step-00000001").operator bool(),
          all.size() > 1 ? "one folder is several checkpoints" : ""};
}

Outcome state(const fs::path& run) {
  const auto text = read_file(run / "checkpoints/step-00000001/state.json", 1 << 20);
  const auto json = text ? parse_json(*text, "state") : Result<Json>(text.error());
  const auto progress = json ? progress_from_json(*json, "state") : Result<Progress>(json.error());
  if (!progress) return {};
  const auto again = progress_from_json(to_json(*progress), "again");
  return {true, again && canonical(to_json(*again)) == canonical(to_json(*progress)) ? "" : "it does not read back"};
}

Outcome statistics(const fs::path& run) { return {!read_statistics(run).records.empty(), {}}; }

Outcome notes(const fs::path& run) {
  const auto found = read_run_notes(run);
  if (!found) return {};
  if (!check_run_notes(*found)) return {true, "notes that may not be saved"};
  const auto again = save_run_notes(run, *found) ? read_run_notes(run) : Result<RunNotes>(RunNotes{});
  return {true, again && *again == *found ? "" : "notes do not read back"};
}

Outcome losses(const fs::path& run) {
  const auto history = read_loss_history(run);
  return {history.operator bool(), history && history->stride == 0 ? "no steps in an entry" : ""};
}

Outcome latest(const fs::path& run) {
  const auto found = latest_checkpoint(run);
  return {found.operator bool(), found && found->step != 1 ? "a checkpoint that is not there" : ""};
}

constexpr RunFile files[] = {{"checkpoints/step-00000001/manifest.json", manifest},
                             {"checkpoints/step-00000001/state.json", state},
                             {"statistics.jsonl", statistics},
                             {"notes.json", notes},
                             {"metrics.bin", losses},
                             {"latest", latest}};

/// A run with one complete checkpoint, whose files are empty.
void write_run(const fs::path& run) {
  std::error_code ignored;
  fs::create_directories(run / "checkpoints/step-00000001", ignored);
  Json list = Json::object();
  for (const char* name : {"model.safetensors", "optimizer.safetensors", "state.json"}) {
    (void)save_file(run / "checkpoints/step-00000001" / name, "");
    list[name] = {{"bytes", 0}, {"xxh3", hex(xxh3(std::string_view()))}};
  }
  (void)save_file(run / "checkpoints/step-00000001/manifest.json", Json{{"schema", 1}, {"files", list}}.dump());
}

}  // namespace

Outcome read_run_file(Bytes bytes) {
  if (bytes.empty() || bytes[0] >= std::size(files)) return {};
  static const Folder folder;
  write_run(folder.path);
  const RunFile& file = files[bytes[0]];
  if (!save_file(folder.path / file.path, as_text(bytes.subspan(1)))) return {false, "the file cannot be written"};
  return file.read(folder.path);
}

}  // namespace nw::fuzz
