// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that read or end the document while a name is being typed: the name belongs to it.
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>

#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/support/canvas_positions.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/shell/preferences/preferences.hpp"

namespace nw::ui {
namespace {

class Typing : public Journey {
 protected:
  void SetUp() override {
    Journey::SetUp();
    openSmallProject(1, 300);
    hand.click(view().viewport(), nodePosition(view(), find("conv1")));
    hand.click(child<QLineEdit>(QStringLiteral("layerName")));
    hand.key(Qt::Key_A, Qt::ControlModifier);
    hand.type(QStringLiteral("stem"));
    ASSERT_FALSE(has(graph(), "stem")) << "nothing has ended the typing yet";
  }
  static bool has(const Graph& graph, const char* name) {
    return std::ranges::any_of(graph.nodes, [name](const auto& entry) { return entry.second.name == name; });
  }
  void closeAndAnswer(const char* answer) {
    inDialog([this] { window().close(); },
             [&](QDialog& dialog) {
               for (QPushButton* b : dialog.findChildren<QPushButton*>())
                 if (b->text() == QLatin1String(answer)) return b->click();
               dialog.reject();
             });
  }
  bool fileHas(const char* name) {
    const auto saved = ProjectFile::load(session().path().toStdString());
    return saved && has(saved->graph(), name);
  }
};

TEST_F(Typing, SavingTakesItAndTypingGoesOn) {
  hand.key(Qt::Key_S, Qt::ControlModifier);
  EXPECT_TRUE(fileHas("stem"));
  hand.type(QStringLiteral("med"));
  hand.key(Qt::Key_S, Qt::ControlModifier);
  EXPECT_TRUE(fileHas("stemmed")) << "the field kept the focus and the place";
}

TEST_F(Typing, ClosingTheWindowAsksAboutIt) {
  closeAndAnswer("Cancel");
  EXPECT_TRUE(window().isVisible());
  EXPECT_TRUE(has(graph(), "stem"));
  EXPECT_TRUE(session().isModified());
  closeAndAnswer("Save");
  EXPECT_FALSE(window().isVisible());
  EXPECT_TRUE(fileHas("stem"));
}

TEST_F(Typing, TrainingHasIt) {
  hand.key(Qt::Key_F5);
  ASSERT_TRUE(test::wait_for([&] { return !trained.isEmpty(); }));
  ASSERT_TRUE(test::wait_for([&] { return feed().definition() != nullptr; }));
  EXPECT_TRUE(has(feed().definition()->doc.graph(), "stem"));
}

/// The document was changed from the destructor of a field, while the window around it was half destroyed.
TEST_F(Typing, ANewLanguageTakesItBeforeTheWindowIsDestroyed) {
  const QPointer<QWidget> before = &window();
  bool whole = false;
  const auto seen = QObject::connect(&session().undoStack(), &QUndoStack::indexChanged, &session(),
                                     [&] { whole = qobject_cast<MainWindow*>(before.data()) != nullptr; });
  desk->setWindowLanguage(QStringLiteral("zh_CN"));
  QObject::disconnect(seen);
  EXPECT_TRUE(whole);
  EXPECT_TRUE(has(graph(), "stem"));
  desk->setWindowLanguage(QStringLiteral("en"));
}

}  // namespace
}  // namespace nw::ui
