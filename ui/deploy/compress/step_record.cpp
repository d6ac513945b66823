// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/step_record.hpp"

#include <algorithm>

#include "engine/runs/run_folder.hpp"
#include "engine/runs/run_notes.hpp"
#include "ui/session/json_values.hpp"

namespace nw::ui {
namespace {

constexpr std::uint64_t largest_record = 16 << 20;
constexpr std::size_t longest_chain = 64, most_attempts = 1000;

Json readJson(const fs::path& file) {
  const auto text = read_file(file, largest_record);
  const auto json = text ? parse_json(*text, file.filename().string()) : Result<Json>(text.error());
  return json && json->is_object() ? *json : Json();
}

/// The name of a folder beside the run, and nothing else.
bool isPlainName(const QString& name) {
  return !name.isEmpty() && name.size() < 256 && !name.startsWith(u'.') && !name.contains(u'/') &&
         !name.contains(QChar(0));
}

fs::path folderOf(const fs::path& run) {
  const fs::path whole = fs::absolute(run).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

QString nameOfFolder(const fs::path& run) { return QString::fromStdString(folderOf(run).filename().string()); }

bool isDraft(const fs::path& run) {
  const auto notes = read_run_notes(run);
  return notes && std::find(notes->tags.begin(), notes->tags.end(), draft_tag) != notes->tags.end();
}

/// A training that goes on has other best weights later: what was measured of the earlier ones counts no more.
std::string bestOf(const fs::path& run) {
  const auto best = best_checkpoint(run);
  return best ? best->name : "";
}

CompressionRecord originalOf(const fs::path& run) {
  return readCompression(run).value_or(CompressionRecord{.run = QString::fromStdString(folderOf(run).string())});
}

}  // namespace

std::optional<CompressionRecord> readCompression(const fs::path& run) {
  const Json json = readJson(run / compression_file);
  if (!json.is_object()) return {};
  CompressionRecord r{.run = QString::fromStdString(folderOf(run).string()),
                      .parent = textAt(json, "parent"),
                      .original = textAt(json, "original"),
                      .kind = textAt(json, "kind"),
                      .multiplyAdds = integerAt(json, "multiply_adds"),
                      .parameters = integerAt(json, "parameters"),
                      .draft = isDraft(run)};
  if (!isPlainName(r.parent) || !isPlainName(r.original)) r.parent = r.original = r.kind = QString();
  if (const auto plan = json.find("plan"); plan != json.end()) r.plan = planFrom(*plan);
  const bool current = !r.kind.isEmpty() || textAt(json, "checkpoint").toStdString() == bestOf(run);
  if (const auto result = json.find("result"); current && result != json.end() && result->is_object())
    r.result = *result;
  return r;
}

Status saveCompression(const CompressionRecord& r) {
  const Json json{{"schema", 1},
                  {"parent", r.parent.toStdString()},
                  {"original", r.original.toStdString()},
                  {"kind", r.kind.toStdString()},
                  {"checkpoint", bestOf(r.run.toStdString())},
                  {"plan", jsonOf(r.plan)},
                  {"multiply_adds", r.multiplyAdds},
                  {"parameters", r.parameters},
                  {"result", r.result}};
  return save_file(fs::path(r.run.toStdString()) / compression_file, canonical(json), 0644, Links::replace);
}

std::vector<CompressionRecord> chainOf(const fs::path& run) {
  std::vector<CompressionRecord> chain;
  fs::path at = folderOf(run);
  for (std::error_code ignored; chain.size() < longest_chain;) {
    chain.push_back(originalOf(at));
    if (chain.back().parent.isEmpty()) break;
    const fs::path before = at.parent_path() / chain.back().parent.toStdString();
    if (before == at || !fs::exists(before / "run.json", ignored)) break;
    at = before;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

std::vector<CompressionRecord> attemptsFrom(const fs::path& original) {
  std::vector<CompressionRecord> all;
  const fs::path folder = folderOf(original);
  const QString name = nameOfFolder(original);
  std::error_code error;
  for (fs::directory_iterator it(folder.parent_path(), error), end; !error && it != end && all.size() < most_attempts;
       it.increment(error)) {
    std::error_code ignored;
    if (!fs::exists(it->path() / compression_file, ignored)) continue;
    auto record = readCompression(it->path());
    if (record && (record->original == name || it->path() == folder)) all.push_back(*std::move(record));
  }
  std::sort(all.begin(), all.end(),
            [](const CompressionRecord& a, const CompressionRecord& b) { return a.run < b.run; });
  return all;
}

Status markDraft(const fs::path& run) {
  NW_ASSIGN(RunNotes notes, read_run_notes(run));
  if (std::find(notes.tags.begin(), notes.tags.end(), draft_tag) == notes.tags.end())
    notes.tags.emplace_back(draft_tag);
  return save_run_notes(run, notes);
}

Status keepRun(const fs::path& run, const QString& name) {
  NW_ASSIGN(RunNotes notes, read_run_notes(run));
  std::erase(notes.tags, draft_tag);
  if (!name.isEmpty()) notes.name = name.toStdString();
  return save_run_notes(run, notes);
}

void removeDraft(const fs::path& run) {
  if (!isDraft(run) || is_running(run)) return;
  std::error_code ignored;
  fs::remove_all(folderOf(run), ignored);
}

Json readSensitivity(const fs::path& run, const QString& checkpoint, const QString& criterion) {
  const Json all = readJson(run / sensitivity_file);
  const auto found = all.is_object() ? all.find(criterion.toStdString()) : all.end();
  if (!all.is_object() || found == all.end() || !found->is_object() || textAt(*found, "checkpoint") != checkpoint)
    return {};
  return *found;
}

Status saveSensitivity(const fs::path& run, const QString& checkpoint, const QString& criterion, const Json& measured) {
  Json all = readJson(run / sensitivity_file);
  if (!all.is_object()) all = Json::object();
  all[criterion.toStdString()] = measured;
  all[criterion.toStdString()]["checkpoint"] = checkpoint.toStdString();
  return save_file(run / sensitivity_file, canonical(all), 0644, Links::replace);
}

}  // namespace nw::ui
