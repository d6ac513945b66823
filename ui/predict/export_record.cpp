// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/export_record.hpp"

#include <QFileInfo>
#include <QMutex>
#include <algorithm>
#include <cmath>

#include "engine/core/digest.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr std::uint64_t largest_file = 8 << 20;
constexpr std::size_t most_records = 64, most_stages = 64, most_files = 4096;
constexpr qsizetype longest_path = 4096;

bool isPlainPath(const QString& path) {
  return !path.isEmpty() && path.size() <= longest_path && !path.contains(QChar(0));
}

Json jsonOf(const ExportRecord& r) {
  Json stages = Json::array(), digests = Json::object();
  for (const ExportStage& s : r.stages) stages.push_back({{"id", s.id.toStdString()}, {"seconds", s.seconds}});
  for (auto it = r.digests.begin(); it != r.digests.end(); ++it) digests[it.key().toStdString()] = it->toStdString();
  return {{"format", r.format.toStdString()},
          {"file", r.file.toStdString()},
          {"checkpoint", r.checkpoint.toStdString()},
          {"step", r.step},
          {"at", r.at},
          {"stages", stages},
          {"files", digests},
          {"proof", r.proof}};
}

void readStages(const Json& j, ExportRecord& r) {
  const auto found = j.find("stages");
  if (found == j.end() || !found->is_array()) return;
  for (const Json& s : *found) {
    const double seconds = s.is_object() ? numberAt(s, "seconds", -1) : -1;
    if (std::size_t(r.stages.size()) < most_stages && seconds >= 0 && std::isfinite(seconds))
      r.stages.push_back({textAt(s, "id"), seconds});
  }
}

void readDigests(const Json& j, ExportRecord& r) {
  const auto found = j.find("files");
  if (found == j.end() || !found->is_object() || found->size() > most_files) return;
  for (const auto& [name, digest] : found->items()) {
    const QString path = QString::fromStdString(name);
    const bool inside = isPlainPath(path) && !path.startsWith(u'/') && !path.split(u'/').contains(QLatin1String(".."));
    if (inside && digest.is_string()) r.digests[path] = QString::fromStdString(digest.get<std::string>());
  }
}

std::optional<ExportRecord> recordOf(const Json& j) {
  if (!j.is_object()) return {};
  ExportRecord r{.format = textAt(j, "format"),
                 .file = textAt(j, "file"),
                 .checkpoint = textAt(j, "checkpoint"),
                 .step = integerAt(j, "step"),
                 .at = integerAt(j, "at")};
  const auto proof = j.find("proof");
  if (r.format.isEmpty() || !isPlainPath(r.file) || !r.file.startsWith(u'/') || proof == j.end() || !proof->is_object())
    return {};
  r.proof = *proof;
  readStages(j, r);
  readDigests(j, r);
  return r;
}

fs::path pathOf(const QString& file) { return file.toStdString(); }

/// The names, below `root`, of the files that the export wrote there.
std::vector<std::string> namesIn(const ExportRecord& r, const fs::path& root) {
  std::vector<std::string> names;
  for (const QString& name : textsAt(r.proof, "files")) names.push_back(name.toStdString());
  if (!names.empty()) return names;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error))
    if (it->symlink_status(error).type() == fs::file_type::regular && names.size() < most_files)
      names.push_back(it->path().lexically_relative(root).string());
  return names;
}

}  // namespace

double ExportRecord::seconds() const {
  double sum = 0;
  for (const ExportStage& s : stages) sum += s.seconds;
  return sum;
}

QVector<ExportRecord> readExports(const fs::path& run) {
  QVector<ExportRecord> all;
  const auto text = read_file(run / exports_file, largest_file);
  const auto json = text ? parse_json(*text, exports_file) : Result<Json>(text.error());
  if (!json || !json->is_object() || !json->contains("exports") || !(*json)["exports"].is_array()) return all;
  for (const Json& each : (*json)["exports"]) {
    if (std::size_t(all.size()) >= most_records) break;
    if (auto record = recordOf(each)) all.push_back(*std::move(record));
  }
  return all;
}

Status saveExport(const fs::path& run, const ExportRecord& record) {
  static QMutex one;  // two exports may end at the same time
  const QMutexLocker lock(&one);
  Json exports = Json::array();
  for (const ExportRecord& known : readExports(run))
    if (known.format != record.format) exports.push_back(jsonOf(known));
  exports.push_back(jsonOf(record));
  return save_file(run / exports_file, canonical({{"schema", 1}, {"exports", exports}}), 0644, Links::replace);
}

Result<QMap<QString, QString>> digestsOf(const ExportRecord& record) {
  const fs::path file = pathOf(record.file);
  std::error_code error;
  const bool folder = fs::is_directory(fs::symlink_status(file, error));
  const fs::path root = folder ? file : file.parent_path();
  std::vector<std::string> names = folder ? namesIn(record, root) : std::vector{file.filename().string()};
  if (const QString weights = textAt(record.proof, "weights"); !folder && !weights.isEmpty())
    names.push_back(pathOf(weights).filename().string());
  QMap<QString, QString> all;
  for (const std::string& name : names) {
    NW_ASSIGN(const FileDigests digests, digests_of_file(root / name));
    all[QString::fromStdString(name)] = QString::fromStdString(digests.sha256);
  }
  return all;
}

QStringList changedFiles(const ExportRecord& record) {
  const fs::path file = pathOf(record.file);
  std::error_code error;
  const fs::path root = fs::is_directory(fs::symlink_status(file, error)) ? file : file.parent_path();
  if (!fs::exists(fs::symlink_status(file, error))) return {QFileInfo(record.file).fileName()};
  QStringList changed;
  for (auto it = record.digests.begin(); it != record.digests.end(); ++it) {
    const fs::path each = root / it.key().toStdString();
    if (fs::is_symlink(fs::symlink_status(each, error))) {
      changed << it.key();
      continue;
    }
    const auto now = digests_of_file(each);
    if (!now || QString::fromStdString(now->sha256) != *it) changed << it.key();
  }
  return changed;
}

}  // namespace nw::ui
