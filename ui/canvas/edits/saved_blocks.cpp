// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/edits/saved_blocks.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QHash>
#include <QPointer>
#include <algorithm>

#include "engine/core/files.hpp"

namespace nw::ui {
namespace {

constexpr std::uint64_t max_bytes = 16 << 20;
constexpr std::uint64_t mostForCards = 8 << 20;  // bytes of all files whose cards are read
constexpr std::size_t mostShown = 500;
const char* const ending = ".nwblock";

fs::path folder() { return data_folder() / "blocks"; }
fs::path fileOf(const std::string& name) { return folder() / (name + ending); }

/// Cached until the next change, because the add list needs it after every typed letter.
struct Names {
  QStringList list;
  QHash<QString, BlockCard> cards;
  fs::path folder;  // in which they were found
  bool known = false;
} names;

/// Files that are large together come without cards: the list must not hold up the window.
void readCards() {
  std::uint64_t left = mostForCards;
  for (const QString& name : names.list) {
    const Result<std::string> text = read_file(fileOf(name.toStdString()), left);
    if (!text) continue;
    left -= std::min<std::uint64_t>(left, text->size());
    if (const Result<BlockCard> card = card_in(*text)) names.cards.insert(name, *card);
  }
}

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
  const fs::path here = folder();
  if (names.known && names.folder == here) return names.list;
  names.known = true;
  names.folder = here;
  names.list.clear();
  names.cards.clear();
  for (const QString& file : QDir(QString::fromStdString(folder().string()))
                                 .entryList({QStringLiteral("*") + QLatin1String(ending)}, QDir::Files, QDir::Name))
    if (std::size_t(names.list.size()) < mostShown) names.list << file.chopped(static_cast<int>(qstrlen(ending)));
  readCards();
  return names.list;
}

Result<std::string> savedBlock(const std::string& name) { return read_file(fileOf(name), max_bytes); }

BlockCard savedCard(const QString& name) {
  (void)savedBlocks();
  return names.cards.value(name);
}

Status saveBlock(const GraphDoc& doc, const std::string& block, const std::string& as, const BlockCard& card) {
  NW_ASSIGN(const std::string text, block_file_text(doc, block, as, card));
  NW_TRY(make_folder(folder(), 0700));
  NW_TRY(save_file(fileOf(as), text));
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
