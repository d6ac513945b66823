// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/edits/saved_blocks.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QPointer>

#include "engine/core/files.hpp"
#include "engine/design/block_edits.hpp"

namespace nw::ui {
namespace {

constexpr std::uint64_t max_bytes = 16 << 20;
const char* const ending = ".nwblock";

fs::path folder() { return data_folder() / "blocks"; }
fs::path fileOf(const std::string& name) { return folder() / (name + ending); }

/// Cached until the next change, because the add list needs it after every typed letter.
struct Names {
  QStringList list;
  bool known = false;
} names;

}  // namespace

SavedBlocksNotice& savedBlocksNotice() {
  static QPointer<SavedBlocksNotice> notice;
  if (!notice) {
    notice = new SavedBlocksNotice;
    notice->setParent(QCoreApplication::instance());
  }
  return *notice;
}

QStringList savedBlocks() {
  if (std::exchange(names.known, true)) return names.list;
  names.list.clear();
  for (const QString& file : QDir(QString::fromStdString(folder().string()))
                                 .entryList({QStringLiteral("*") + QLatin1String(ending)}, QDir::Files, QDir::Name))
    names.list << file.chopped(static_cast<int>(qstrlen(ending)));
  return names.list;
}

Result<std::string> savedBlock(const std::string& name) { return read_file(fileOf(name), max_bytes); }

Status saveBlock(const GraphDoc& doc, const std::string& name) {
  NW_TRY(make_folder(folder(), 0700));
  NW_TRY(save_file(fileOf(name), block_text(doc, name)));
  names.known = false;
  Q_EMIT savedBlocksNotice().changed();
  return {};
}

Status forgetBlock(const std::string& name) {
  std::error_code why;
  if (!fs::remove(fileOf(name), why))
    return fail(Errc::disk, NW_TR("{0} cannot be removed: {1}"), fileOf(name).string(), why.message());
  names.known = false;
  Q_EMIT savedBlocksNotice().changed();
  return {};
}

}  // namespace nw::ui
