// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>

#include "engine/core/newer_format.hpp"
#include "engine/core/path_text.hpp"
#include "engine/core/version.hpp"
#include "engine/core/what_is_there.hpp"
#include "engine/design/project_file.hpp"
#include "engine/runs/contained.hpp"

namespace nw {
namespace {

constexpr std::uint64_t definition_limit = std::uint64_t{64} << 20;
constexpr std::size_t class_limit = 100'000;

/// A file name made from a project name: letters, digits, "-", "_" and "."; never empty, never hidden.
std::string plain_name(const std::string& name) {
  std::string out;
  for (const char c : name.substr(0, 48))
    out += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || (c == '.' && !out.empty()) ? c : '-';
  return out.empty() ? "run" : out;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  char text[16];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &local)};
}

std::vector<float> floats(JsonReader& r, std::string_view key) {
  std::vector<float> out;
  if (const Json* list = r.child(key, Json::value_t::array))
    for (const Json& v : *list) {
      if (!v.is_number() || out.size() >= 4096) {
        r.problem(text(NW_TR("{0} is not a list of numbers"), key));
        break;
      }
      out.push_back(v.get<float>());
    }
  return out;
}

std::vector<std::string> strings(JsonReader& r, std::string_view key) {
  std::vector<std::string> out;
  if (const Json* list = r.child(key, Json::value_t::array))
    for (const Json& v : *list) {
      if (!v.is_string() || out.size() >= class_limit) {
        r.problem(text(NW_TR("{0} is not a list of names"), key));
        break;
      }
      out.push_back(v.get<std::string>());
    }
  return out;
}

std::vector<std::int64_t> counts(JsonReader& r, std::string_view key) {
  std::vector<std::int64_t> out;
  if (const Json* list = r.child(key, Json::value_t::array))
    for (const Json& v : *list) {
      if (!v.is_number_integer() || v.get<std::int64_t>() < 0 || out.size() >= class_limit) {
        r.problem(text(NW_TR("{0} is not a list of numbers"), key));
        break;
      }
      out.push_back(v.get<std::int64_t>());
    }
  return out;
}

std::uint64_t hash_of(JsonReader& r, std::string_view key) {
  const std::string digits = r.string_or(key, "0");
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(digits.c_str(), &end, 16);
  if (*end != '\0' || digits.size() > 16) r.problem(text(NW_TR("{0} is not a hash"), key));
  return value;
}

}  // namespace

Json to_json(const RunDefinition& d) {
  Json j{{"schema", 1},
         {"name", d.name},
         {"project", ProjectFile::json(d.doc)},
         {"data_dir", path_to_text(d.data_dir)},
         {"data_hash", hex(d.data_hash)},
         {"split_hash", hex(d.split_hash)},
         {"mean", d.mean},
         {"deviation", d.deviation},
         {"classes", d.classes},
         {"channels", d.channels},
         {"height", d.height},
         {"width", d.width},
         {"choices", d.choices},
         {"version", d.version},
         {"created", d.created}};
  if (!d.class_counts.empty()) j["class_counts"] = d.class_counts;
  if (!d.parent.empty()) j["parent"] = d.parent;
  if (d.parent_step >= 0) j["parent_step"] = d.parent_step;
  if (!d.weights.empty()) j["weights"] = path_to_text(d.weights), j["weights_sha256"] = d.weights_sha256;
  return j;
}

Result<RunDefinition> run_from_json(const Json& json, std::string_view where) {
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("{0} is not a run's definition"), where);
  JsonReader r(json, std::string(where));
  if (const std::int64_t schema = r.integer("schema", 1, std::int64_t{1} << 31); schema > 1)
    return newer_format(json, where, schema, 1);
  RunDefinition d;
  d.name = r.string("name");
  d.data_dir = text_to_path(r.string_or("data_dir", ""));
  d.data_hash = hash_of(r, "data_hash");
  d.split_hash = hash_of(r, "split_hash");
  d.mean = floats(r, "mean");
  d.deviation = floats(r, "deviation");
  d.classes = strings(r, "classes");
  d.class_counts = counts(r, "class_counts");
  d.channels = r.integer_or("channels", 0, 0, 4096);
  d.height = r.integer_or("height", 0, 0, 1 << 20);
  d.width = r.integer_or("width", 0, 0, 1 << 20);
  d.choices = strings(r, "choices");
  d.version = r.string_or("version", "");
  d.created = r.real_or("created", 0);
  d.parent = r.string_or("parent", "");
  d.parent_step = r.integer_or("parent_step", -1, -1, std::int64_t{1} << 53);
  d.weights = text_to_path(r.string_or("weights", ""));
  d.weights_sha256 = r.string_or("weights_sha256", "");
  const Json* project = r.child("project", Json::value_t::object);
  NW_TRY(r.status());
  if (!project) return fail(Errc::bad_input, NW_TR("{0} holds no project"), where);
  if (d.mean.size() != d.deviation.size())
    return fail(Errc::bad_input, NW_TR("{0} has {1} means and {2} deviations"), where, d.mean.size(),
                d.deviation.size());
  for (const float v : d.deviation)
    if (!(v > 0) || !std::isfinite(v))
      return fail(Errc::bad_input, NW_TR("{0} has a deviation that is not above zero"), where);
  NW_ASSIGN(d.doc, ProjectFile::from_json(*project, where));
  return d;
}

Result<fs::path> reserve_run_folder(const fs::path& runs, const std::string& name) {
  NW_TRY(make_folder(runs, 0700));
  std::random_device random;
  const std::string stem = today() + "-" + plain_name(name) + "-";
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const unsigned digits = random();
    const fs::path folder = runs / (stem + hex(digits).substr(attempt < 50 ? 14 : 10));
    if (::mkdir(folder.c_str(), 0700) == 0) return folder;
    if (errno != EEXIST)
      return fail(Errc::disk, NW_TR("{0} cannot be created: {1}"), folder.string(), std::strerror(errno));
  }
  return fail(Errc::disk, NW_TR("no free name for a run was found in {0}"), runs.string());
}

Result<fs::path> create_run_folder(const fs::path& runs, RunDefinition& definition) {
  NW_ASSIGN(fs::path folder, reserve_run_folder(runs, definition.name));
  if (definition.created == 0) definition.created = static_cast<double>(std::time(nullptr));
  if (definition.version.empty()) definition.version = version();
  NW_TRY(write_run_definition(folder, definition));
  return folder;
}

Status write_run_definition(const fs::path& run, const RunDefinition& definition) {
  NW_TRY(make_folder(run, 0700));
  return save_file(run / "run.json", canonical(to_json(definition)), 0600, Links::replace);
}

Result<RunDefinition> read_run_definition(const fs::path& run) {
  std::error_code ignored;
  if (const Status folder = check_folder(run); !folder)
    return fail(Errc::bad_input, NW_TR("{0}; netwright-cli runs list shows the runs"), folder.error().str());
  if (!fs::exists(fs::symlink_status(run / "run.json", ignored)))
    return fail(Errc::bad_input,
                NW_TR("{0} is not the folder of a run: it holds no run.json; netwright-cli runs list shows the runs"),
                run.string());
  NW_ASSIGN(const std::string bytes, read_inside(run, "run.json", definition_limit));
  const std::string where = (run / "run.json").string();
  NW_ASSIGN(const Json json, parse_json(bytes, where));
  return run_from_json(json, where);
}

fs::path runs_folder() {
  const char* asked = std::getenv("NETWRIGHT_RUNS");
  return asked && *asked ? fs::path(asked) : data_folder() / "runs";
}

std::string_view name_of(RunStatus s) {
  switch (s) {
    case RunStatus::running:
      return "running";
    case RunStatus::finished:
      return "finished";
    case RunStatus::stopped:
      return "stopped";
    case RunStatus::failed:
      return "failed";
    case RunStatus::interrupted:
      return "interrupted";
  }
  return "";
}

RunStatus status_after(EndReason reason) {
  switch (reason) {
    case EndReason::finished:
      return RunStatus::finished;
    case EndReason::stopped:
      return RunStatus::stopped;
    case EndReason::failed:
      break;
  }
  return RunStatus::failed;
}

bool is_running(const fs::path& run) { return FileLock::is_held(run / "lock"); }

}  // namespace nw
