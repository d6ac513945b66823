// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/actions.hpp"

#include <gtest/gtest.h>

#include <QFile>
#include <QKeySequence>
#include <QMap>
#include <QSet>
#include <filesystem>
#include <string>

#include "engine/core/files.hpp"
#include "tests/support/paths.hpp"
#include "ui/page/page.hpp"
#include "ui/page/shortcuts.hpp"
#include "ui/shell/window/command_palette.hpp"

namespace nw::ui {
namespace {

namespace fs = std::filesystem;

TEST(Actions, EveryRowHasANameAndAnIconThatExists) {
  for (const ActionRow& row : actionTable()) {
    if (QLatin1String(row.id) == QLatin1String("-")) continue;
    EXPECT_NE(*row.text, 0) << row.id;
    EXPECT_TRUE(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(row.icon))))
        << "resources/icons/" << row.icon << ".svg, the icon of " << row.id << " in ui/page/actions.cpp, is missing";
  }
}

TEST(Actions, IdsAndKeysAreUsedOnce) {
  QSet<QString> ids;
  QMap<QString, QString> keys;
  for (const ActionRow& row : actionTable()) {
    const QString id = QLatin1String(row.id);
    if (id == QLatin1String("-")) continue;
    EXPECT_FALSE(ids.contains(id)) << row.id;
    ids.insert(id);
    for (const QKeySequence& key : usualKeys(id)) {
      EXPECT_FALSE(key.isEmpty()) << row.keys;
      EXPECT_FALSE(keys.contains(key.toString())) << row.id << " and " << keys.value(key.toString()).toStdString();
      keys.insert(key.toString(), id);
    }
  }
}

/// The text of every source file of ui/ but the table of actions.
std::string sources_of_the_window() {
  const fs::path ui = fs::path(test::source_folder()) / "ui";
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(ui))
    if (entry.path().extension() == ".cpp" && entry.path() != ui / "page" / "actions.cpp")
      all += *read_file(entry.path(), 1 << 20);
  return all;
}

// Actions are connected by their ids; one that no other file names would do nothing. "page-design" is composed of a
// prefix and the page's id.
TEST(Actions, EveryIdIsNamedByTheCodeThatRunsIt) {
  const std::string sources = sources_of_the_window();
  for (const ActionRow& row : actionTable()) {
    const std::string id = row.id, quoted = '"' + id.substr(id.starts_with("page-") ? 5 : 0) + '"';
    if (id == "-") continue;
    EXPECT_NE(sources.find(quoted), std::string::npos)
        << "no file of ui/ connects the action " << id
        << " of ui/page/actions.cpp; a command of the canvas is a row of "
        << "ui/canvas/commands/commands.cpp";
  }
}

TEST(Actions, ActionsOfAPageAreDisabledOnOtherPages) {
  enableActionsFor(QStringLiteral("design"));
  EXPECT_TRUE(action(QStringLiteral("paste"))->isEnabled());
  enableActionsFor(QStringLiteral("runs"));
  EXPECT_FALSE(action(QStringLiteral("paste"))->isEnabled());
  EXPECT_TRUE(action(QStringLiteral("save"))->isEnabled());
}

TEST(Actions, StandardKeysAreThoseOfOtherPrograms) {
  EXPECT_EQ(action(QStringLiteral("train"))->shortcut(), QKeySequence(Qt::Key_F5));
  EXPECT_EQ(action(QStringLiteral("pause"))->shortcut(), QKeySequence(Qt::SHIFT | Qt::Key_F6));
  EXPECT_EQ(action(QStringLiteral("stop"))->shortcut(), QKeySequence(Qt::SHIFT | Qt::Key_F5));
  EXPECT_EQ(action(QStringLiteral("command-palette"))->shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
}

TEST(CommandPalette, MatchesLettersInOrderAndPrefersStartsOfWords) {
  EXPECT_GT(fuzzyScore(QStringLiteral("st"), QStringLiteral("Start training")), 0);
  EXPECT_EQ(fuzzyScore(QStringLiteral("ts"), QStringLiteral("Copy")), 0);
  EXPECT_GT(fuzzyScore(QStringLiteral("st"), QStringLiteral("Start training")),
            fuzzyScore(QStringLiteral("st"), QStringLiteral("Reset layout")));
  EXPECT_GT(fuzzyScore(QString(), QStringLiteral("Anything")), 0);
}

}  // namespace
}  // namespace nw::ui
