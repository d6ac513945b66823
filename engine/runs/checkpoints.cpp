// SPDX-License-Identifier: Apache-2.0
// Finds and verifies checkpoints. A checkpoint is complete if its manifest exists and every file has the size stated in
// the manifest.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

#include "engine/core/newer_format.hpp"
#include "engine/runs/contained.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {
namespace {

constexpr std::array<std::string_view, 3> files = {"model.safetensors", "optimizer.safetensors", "state.json"};
constexpr std::size_t listed_limit = 100'000;

struct ManifestEntry {
  std::uint64_t bytes = 0;
  std::string xxh3;
};

std::string inside(const std::string& name, std::string_view file) {
  return "checkpoints/" + name + "/" + std::string(file);
}

Result<std::array<ManifestEntry, files.size()>> read_manifest(const fs::path& run, const std::string& name) {
  const std::string path = inside(name, "manifest.json");
  NW_ASSIGN(const std::string bytes, read_inside(run, path, 1 << 20));
  const std::string where = (run / path).string();
  NW_ASSIGN(const Json json, parse_json(bytes, where));
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("{0} is not a manifest"), where);
  JsonReader r(json, where);
  if (const std::int64_t schema = r.integer("schema", 1, std::int64_t{1} << 31); schema > 1)
    return newer_format(json, where, schema, 1);
  std::array<ManifestEntry, files.size()> out;
  const Json* list = r.child("files", Json::value_t::object);
  NW_TRY(r.status());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto it = list ? list->find(files[i]) : json.end();
    if (!list || it == list->end() || !it->is_object())
      return fail(Errc::bad_input, NW_TR("{0} does not list {1}"), where, files[i]);
    JsonReader f(*it, where);
    out[i] = {static_cast<std::uint64_t>(f.integer("bytes", 0, std::int64_t{1} << 53)), f.string("xxh3")};
    NW_TRY(f.status());
  }
  return out;
}

bool is_whole(const fs::path& run, const std::string& name) {
  const auto manifest = read_manifest(run, name);
  if (!manifest) return false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto bytes = size_inside(run, inside(name, files[i]));
    if (!bytes || *bytes != (*manifest)[i].bytes) return false;
  }
  return true;
}

/// The checkpoint that `latest` or `best` refers to, if it is complete.
std::optional<CheckpointName> named_by(const fs::path& run, const char* pointer) {
  const auto line = read_inside(run, pointer, 256);
  if (!line) return std::nullopt;
  const std::string name = line->substr(0, line->find('\n'));
  const auto step = checkpoint_step(name);
  if (!step || !is_whole(run, name)) return std::nullopt;
  return CheckpointName{name, *step};
}

/// The folders that are named as checkpoints, complete or not.
std::vector<CheckpointName> named_checkpoints(const fs::path& run) {
  std::vector<CheckpointName> found;
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(run / "checkpoints", error))) return found;
  for (fs::directory_iterator it(run / "checkpoints", error), end; !error && it != end && found.size() < listed_limit;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (const auto step = checkpoint_step(name)) found.push_back({name, *step});
  }
  return found;
}

/// Why no checkpoint is complete: a disk that fails is told from folders that hold none.
Error no_checkpoint(const fs::path& run) {
  for (const CheckpointName& c : named_checkpoints(run))
    if (const auto manifest = read_manifest(run, c.name); !manifest && manifest.error().code == Errc::disk)
      return manifest.error();
  return fail(Errc::bad_input, NW_TR("{0} holds no complete checkpoint; train again in a new folder"), run.string());
}

}  // namespace

std::string checkpoint_name(std::int64_t step) { return fmt::format("step-{:08}", step); }

std::optional<std::int64_t> checkpoint_step(std::string_view name) {
  if (!name.starts_with("step-") || name.size() < 13 || name.size() > 20) return std::nullopt;
  const std::string_view digits = name.substr(5);
  if (!std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  const std::int64_t step = std::strtoll(std::string(digits).c_str(), nullptr, 10);
  return checkpoint_name(step) == name ? std::optional(step) : std::nullopt;
}

std::vector<CheckpointName> list_checkpoints(const fs::path& run) {
  std::vector<CheckpointName> found = named_checkpoints(run);
  std::erase_if(found, [&](const CheckpointName& c) { return !is_whole(run, c.name); });
  std::sort(found.begin(), found.end(),
            [](const CheckpointName& a, const CheckpointName& b) { return a.step < b.step; });
  return found;
}

Result<CheckpointName> latest_checkpoint(const fs::path& run) {
  if (auto named = named_by(run, "latest")) return *named;
  const auto all = list_checkpoints(run);
  if (all.empty()) return no_checkpoint(run);
  return all.back();
}

Result<CheckpointName> best_checkpoint(const fs::path& run) {
  if (auto named = named_by(run, "best")) return *named;
  return latest_checkpoint(run);
}

Status verify_checkpoint(const fs::path& run, const std::string& name) {
  if (!checkpoint_step(name)) return fail(Errc::bad_input, NW_TR("\"{0}\" is not the name of a checkpoint"), name);
  NW_ASSIGN(const auto manifest, read_manifest(run, name));
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string path = inside(name, files[i]);
    NW_ASSIGN(const std::uint64_t bytes, size_inside(run, path));
    if (bytes != manifest[i].bytes)
      return fail(Errc::bad_input, NW_TR("{0} holds {1} bytes, its manifest says {2}: the checkpoint is damaged"),
                  (run / path).string(), bytes, manifest[i].bytes);
    NW_ASSIGN(const std::uint64_t hash, hash_inside(run, path));
    if (hex(hash) != manifest[i].xxh3)
      return fail(Errc::bad_input, NW_TR("{0} is not what was written: the checkpoint is damaged"),
                  (run / path).string());
  }
  return {};
}

}  // namespace nw
