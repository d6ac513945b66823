// SPDX-License-Identifier: GPL-3.0-or-later
// File > Open an example: each entry writes its project into the user's folder and opens it, ready to train.
#include <gtest/gtest.h>

#include <QMenu>
#include <QTest>

#include "engine/examples/example.hpp"
#include "ui/shell/window/application.hpp"
#include "ui/shell/window/top_bar.hpp"

namespace nw::ui {
namespace {

constexpr int example_patience = 20000;

/// The entry that has this text, of the menu or of a menu in it; null: there is none.
QAction* entryOf(const QMenu& menu, const QString& text) {
  for (QAction* action : menu.actions()) {
    if (action->text() == text) return action;
    if (action->menu())
      if (QAction* found = entryOf(*action->menu(), text)) return found;
  }
  return nullptr;
}

struct ExampleMenu : testing::Test {
  WindowHost desk{StartOptions{}};
  const QMenu* menu() {
    const auto* bar = desk.window().findChild<TopBar*>();
    for (const QMenu* one : bar->findChildren<QMenu*>(Qt::FindDirectChildrenOnly))
      if (const QAction* examples = entryOf(*one, QStringLiteral("Open an example"))) return examples->menu();
    return nullptr;
  }
};

TEST_F(ExampleMenu, HasEachExampleWithWhatItShows) {
  ASSERT_TRUE(menu());
  ASSERT_EQ(size_t(menu()->actions().size()), all_examples().size());
  for (const Example& example : all_examples()) {
    const QAction* entry = entryOf(*menu(), translated(example.title));
    ASSERT_TRUE(entry) << example.name;
    EXPECT_EQ(entry->toolTip(), translated(example.summary));
  }
}

TEST_F(ExampleMenu, OpensTheUsersCopyOfEach) {
  ASSERT_TRUE(menu());
  const Session& session = desk.workplace().session;
  for (const Example& example : all_examples()) {
    QAction* entry = entryOf(*menu(), translated(example.title));
    ASSERT_TRUE(entry) << example.name;
    entry->trigger();
    const QString folder =
        QString::fromStdString((examples_folder() / std::string(example.name)).string()) + QLatin1Char('/');
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.path().startsWith(folder); }, example_patience)) << example.name;
    EXPECT_TRUE(session.doc().graph().nodes.size() > 2u) << example.name;
  }
}

}  // namespace
}  // namespace nw::ui
