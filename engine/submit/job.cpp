// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/job.hpp"

#include <algorithm>

#include "engine/submit/target.hpp"
#include "kernels/printable.hpp"

namespace nw::submit {
namespace {

constexpr std::size_t longest_text = 1024, most_options = 256;

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z'); }

bool consists_of(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_alphanumeric(c) || others.find(c) != std::string_view::npos; });
}

/// A value of a label, or the part of its key behind the slash: Kubernetes, "Labels and Selectors", syntax.
bool is_label_part(std::string_view text) {
  return !text.empty() && text.size() <= 63 && consists_of(text, "-_.") && is_alphanumeric(text.front()) &&
         is_alphanumeric(text.back());
}

bool is_label_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return is_label_part(key);
  const std::string_view prefix = key.substr(0, slash);
  const bool domain =
      !prefix.empty() && prefix.size() <= 253 && is_lower_or_digit(prefix.front()) &&
      is_lower_or_digit(prefix.back()) &&
      std::all_of(prefix.begin(), prefix.end(), [](char c) { return is_lower_or_digit(c) || c == '-' || c == '.'; });
  return domain && is_label_part(key.substr(slash + 1));
}

/// Text of one line that programs take as an argument and that is no option of theirs.
bool is_one_line(std::string_view text) { return text.size() <= longest_text && printable(text) == text; }
bool is_argument(std::string_view text) { return is_one_line(text) && !text.starts_with('-'); }

/// `sentence` names the field as {0}, its value as {1} and what else helps as {2}.
Error wrong(std::string_view field, std::string_view value, const char* sentence, std::string_view more = {}) {
  return fail(Errc::usage, sentence, field, '"' + printable(value.substr(0, 80)) + '"', more);
}

Status check_labels(const Resources& r) {
  if (r.node_selector.size() > 32) return wrong("node-selector", "33", NW_TR("{0} cannot be {1}: at most 32 labels"));
  for (const auto& [key, value] : r.node_selector) {
    if (!is_label_key(key))
      return wrong("node-selector", key, NW_TR("{0} cannot be {1}: a label's key is letters, digits, - _ . and one /"));
    if (!value.empty() && !is_label_part(value))
      return wrong("node-selector", value, NW_TR("{0} cannot be {1}: a label's value is letters, digits, - _ ."));
  }
  return {};
}

Status check_words(const Resources& r) {
  if (!consists_of(r.partition, "-_.,") || r.partition.starts_with('-') || r.partition.size() > 256)
    return wrong("partition", r.partition, NW_TR("{0} cannot be {1}: letters, digits, - _ . and commas"));
  const auto label = [](std::string_view t) { return t.empty() || (is_label_part(t) && consists_of(t, "-.")); };
  if (!label(r.data_volume))
    return wrong("data-volume", r.data_volume, NW_TR("{0} cannot be {1}: the name of a volume claim"));
  if (!label(r.name_space)) return wrong("namespace", r.name_space, NW_TR("{0} cannot be {1}: letters, digits and -"));
  if (!consists_of(r.image, "-_./:@") || r.image.starts_with('-') || r.image.size() > 512)
    return wrong("image", r.image, NW_TR("{0} cannot be {1}: the name of a container image"));
  return check_labels(r);
}

Status check_numbers(const Resources& r) {
  for (const Field& f : all_fields())
    if (f.number && (r.*f.number < f.lowest || r.*f.number > f.highest))
      return wrong(f.name, std::to_string(r.*f.number), NW_TR("{0} cannot be {1}: {2}"),
                   fmt::format("{} – {}", f.lowest, f.highest));
  return {};
}

Status check_options(const std::vector<std::string>& options) {
  if (options.size() > most_options)
    return wrong("train options", std::to_string(options.size()), NW_TR("{0} cannot be {1}: at most 256"));
  for (const std::string& word : options) {
    if (!is_one_line(word)) return wrong("train options", word, NW_TR("{0} cannot be {1}: text of one line"));
    for (const char* local : {"--run-dir", "--data", "--weights", "--distill", "--replay"})
      if (word == local || word.starts_with(std::string(local) + "="))
        return wrong(
            "train options", word,
            NW_TR("{0} cannot be {1}: a job has its own folder and data; files of this computer are not there"));
  }
  return {};
}

Json resources_json(const Resources& r) {
  Json j = Json::object();
  for (const Field& f : all_fields()) {
    const std::string key(f.name);
    if (!is_given(f, r)) continue;
    if (f.number) j[key] = r.*f.number;
    if (f.word) j[key] = r.*f.word;
    if (f.is_label) j[key] = r.node_selector;
  }
  return j;
}

void read_labels(JsonReader& from, Resources& r) {
  const Json* labels = from.has("node-selector") ? from.child("node-selector", Json::value_t::object) : nullptr;
  if (!labels) return;
  JsonReader reader(*labels, from.where() + ".node-selector");
  for (const auto& [key, value] : labels->items()) r.node_selector[key] = reader.string(key);
  if (const Status read = reader.status(); !read) from.problem(read.error().what);
}

void read_resources(JsonReader& from, Resources& r) {
  for (const Field& f : all_fields()) {
    if (f.number) r.*f.number = from.integer_or(f.name, r.*f.number, f.lowest, f.highest);
    if (f.word) r.*f.word = from.string_or(f.name, "");
  }
  read_labels(from, r);
}

std::vector<std::string> read_options(JsonReader& from) {
  std::vector<std::string> options;
  const Json* list = from.child("train_options", Json::value_t::array);
  for (const Json& one : list ? *list : Json::array()) {
    if (!one.is_string()) from.problem(text(NW_TR("train_options must be texts")));
    if (one.is_string()) options.push_back(one.get<std::string>());
  }
  return options;
}

}  // namespace

const std::vector<Field>& all_fields() {
  using R = Resources;
  static const std::vector<Field> fields = {
      {"gpus", NW_TR("GPUs"), "GPUs of each rank", &R::gpus, nullptr, 0, 64},
      {"cpus", NW_TR("CPUs"), "Processors of each rank", &R::cpus, nullptr, 0, 4096},
      {"memory", NW_TR("Memory (MiB)"), "Memory of each rank in MiB", &R::memory_mib, nullptr, 0,
       std::int64_t{1} << 30},
      {"shared-memory", NW_TR("Shared memory (MiB)"), "Size of /dev/shm in MiB", &R::shared_memory_mib, nullptr, 0,
       std::int64_t{1} << 30},
      {"time-limit", NW_TR("Time limit (min)"), "Minutes after which the training ends with a checkpoint",
       &R::time_limit_minutes, nullptr, 0, 525600},
      {"ranks", NW_TR("Ranks"), "Processes that train together, started by mpirun", &R::ranks, nullptr, 1, 999},
      {"node-selector", NW_TR("Node selector"), "LABEL=VALUE that nodes must have; may be repeated", nullptr, nullptr,
       0, 0, true},
      {"data-volume", NW_TR("Data volume"), "Volume claim with the data sets, on which runs are kept too", nullptr,
       &R::data_volume, 0, 0},
      {"partition", NW_TR("Partition"), "Partition of the cluster", nullptr, &R::partition, 0, 0},
      {"image", NW_TR("Image"), "Container image with netwright-cli", nullptr, &R::image, 0, 0},
      {"namespace", NW_TR("Namespace"), "Namespace of the cluster", nullptr, &R::name_space, 0, 0}};
  return fields;
}

bool is_given(const Field& f, const Resources& r) {
  static const Resources fresh;
  if (f.number) return r.*f.number != fresh.*f.number;
  return f.word ? !(r.*f.word).empty() : !r.node_selector.empty();
}

std::string field_of(const Error& error) {
  const Json names = to_json(Job());
  const auto is_field = [&](const std::string& word) {
    const auto& fields = all_fields();
    return names.contains(word) || word == "train options" ||
           std::any_of(fields.begin(), fields.end(), [&](const Field& f) { return f.name == word; });
  };
  const auto& args = error.what.args;
  const auto found = std::find_if(args.begin(), args.end(), is_field);
  return found == args.end() ? "" : *found;
}

std::string system_name(std::string_view wanted) {
  std::string name;
  for (const char c : wanted) {
    const char lower = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (is_lower_or_digit(lower))
      name += lower;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  if (name.empty() || name[0] < 'a') name.insert(0, "nw-");
  name.resize(std::min(name.size(), longest_name));
  while (name.back() == '-') name.pop_back();
  return name;
}

bool is_system_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && name[0] >= 'a' && name[0] <= 'z' && name.back() != '-' &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

Status check(const Job& job) {
  if (!is_system_name(job.name))
    return wrong("name", job.name, NW_TR("{0} cannot be {1}: small letters, digits and -, a letter first"));
  const Target* target = find_target(job.target);
  if (!target) return wrong("target", job.target, NW_TR("{0} cannot be {1}: one of {2}"), target_names());
  if (!consists_of(job.host, "@._-:[]%") || job.host.starts_with('-') || job.host.size() > 256)
    return wrong("host", job.host, NW_TR("{0} cannot be {1}: USER@HOST, or a name of ssh's configuration"));
  if (target->host == HostUse::required && job.host.empty())
    return wrong("host", "", NW_TR("{0} cannot be {1}: USER@HOST, or a name of ssh's configuration"));
  if (target->host == HostUse::none && !job.host.empty())
    return wrong("target", job.target, NW_TR("{0} cannot be {1}: it takes no host"));
  for (const auto& [field, value] : {std::pair{"folder", &job.folder}, std::pair{"program", &job.program}})
    if (value->empty() || !is_argument(*value))
      return wrong(field, *value, NW_TR("{0} cannot be {1}: a path of one line"));
  for (const auto& [field, value] :
       {std::pair{"data", &job.data}, std::pair{"ssh-config", &job.ssh_config}, std::pair{"mounted", &job.mounted}})
    if (!is_argument(*value)) return wrong(field, *value, NW_TR("{0} cannot be {1}: a path of one line"));
  if (!consists_of(job.id, "-_./") || job.id.starts_with('-') || job.id.size() > 128)
    return wrong("id", job.id, NW_TR("{0} cannot be {1}: the number or name that the system gave"));
  for (const Field& f : all_fields())
    if (is_given(f, job.resources) && !target->takes(f.name))
      return fail(Errc::usage, NW_TR("{0} does not take --{1}"), target->name, f.name);
  NW_TRY(check_numbers(job.resources));
  NW_TRY(check_words(job.resources));
  if (job.resources.ranks > 1 && job.resources.gpus > 1)
    return wrong("gpus", std::to_string(job.resources.gpus),
                 NW_TR("{0} cannot be {1}: each of several ranks has one GPU"));
  NW_TRY(check_options(job.train_options));
  return target->check ? target->check(job) : Status{};
}

Json to_json(const Job& job) {
  return {{"schema", 1},
          {"name", job.name},
          {"target", job.target},
          {"host", job.host},
          {"folder", job.folder},
          {"data", job.data},
          {"program", job.program},
          {"ssh_config", job.ssh_config},
          {"mounted", job.mounted},
          {"train_options", job.train_options},
          {"id", job.id},
          {"resources", resources_json(job.resources)}};
}

Result<Job> job_from_json(const Json& json, std::string_view where) {
  JsonReader from(json, std::string(where));
  (void)from.integer("schema", 1, 1);
  Job job;
  for (const auto& [key, value] :
       {std::pair{"name", &job.name}, std::pair{"target", &job.target}, std::pair{"host", &job.host},
        std::pair{"folder", &job.folder}, std::pair{"data", &job.data}, std::pair{"program", &job.program},
        std::pair{"ssh_config", &job.ssh_config}, std::pair{"mounted", &job.mounted}, std::pair{"id", &job.id}})
    *value = from.string(key);
  job.train_options = read_options(from);
  if (const Json* resources = from.child("resources", Json::value_t::object)) {
    JsonReader reader(*resources, std::string(where) + ".resources");
    read_resources(reader, job.resources);
    NW_TRY(reader.status());
  }
  NW_TRY(from.status());
  if (const Status sound = check(job); !sound) return Error{Errc::bad_input, sound.error().what};
  return job;
}

}  // namespace nw::submit
