// SPDX-License-Identifier: GPL-3.0-or-later
// What was exported of a run, with its proofs: a small file beside the run, exports.json, so that the Deploy page shows
// them after a restart. It may come from anywhere: what is not understood is left out. Reads and writes files: not for
// the GUI thread.
#pragma once
#include <QMap>
#include <QString>
#include <QVector>

#include "engine/core/files.hpp"
#include "engine/core/json.hpp"

namespace nw::ui {

inline constexpr const char* exports_file = "exports.json";

struct ExportStage {
  QString id;  // "images", "write", "run", "save", "stamp"
  double seconds = 0;
  bool operator==(const ExportStage&) const = default;
};

struct ExportRecord {
  QString format;  // NetworkFormat::id
  QString file;    // absolute; a folder for libraries, bundles and servers
  QString checkpoint;
  qint64 step = 0;  // of the weights
  qint64 at = 0;    // seconds since 1970
  QVector<ExportStage> stages;
  QMap<QString, QString> digests;  // SHA-256 of each file, by its path below `file`; of a file, by its own name
  Json proof = Json::object();     // the last line of the export
  bool operator==(const ExportRecord&) const = default;
  double seconds() const;
};

/// Those of the run, one for each format; none where there is no file or it cannot be understood.
QVector<ExportRecord> readExports(const fs::path& run);
/// Puts the record in the place of that of its format.
Status saveExport(const fs::path& run, const ExportRecord& record);

/// SHA-256 of the files that an export wrote, the weights beside source code among them. No link is followed.
Result<QMap<QString, QString>> digestsOf(const ExportRecord& record);
/// The files that are missing or not those that were written.
QStringList changedFiles(const ExportRecord& record);

}  // namespace nw::ui
