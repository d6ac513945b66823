// SPDX-License-Identifier: GPL-3.0-or-later
// Two projects with a common ancestor merged from the window: the conflicts on the canvas and in the list, ended by
// their buttons, and undone.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "engine/design/merge.hpp"
#include "engine/design/project_file.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/design/problem_list.hpp"
#include "ui/page/page.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

class MergeJourney : public Journey {
 protected:
  void SetUp() override {
    Journey::SetUp();
    openSmallProject(1, 300);
    GraphDoc base = session().doc();
    save(base, "base");
    filters(base, 12);
    TrainSettings settings = base.settings();
    settings.epochs = 7;
    ASSERT_TRUE(base.apply({PutSettings{settings}}));
    save(base, "theirs");
    ASSERT_TRUE(session().push(set_attr(session().doc(), "", find("conv1"), "out_channels", std::int64_t{8}),
                               QStringLiteral("Change filters")));
  }
  QString at(const char* name) { return folder.filePath(QLatin1String(name) + QStringLiteral(".netwright")); }
  void save(const GraphDoc& doc, const char* name) { ASSERT_TRUE(ProjectFile::save(doc, at(name).toStdString())); }
  void filters(GraphDoc& doc, std::int64_t n) {
    ASSERT_TRUE(doc.apply(set_attr(doc, "", find("conv1"), "out_channels", n)));
  }
  void mergeWith(const QString& theirs, const QString& base) {
    inDialog([] { action(QStringLiteral("merge"))->trigger(); },
             [&](QDialog& asks) {
               auto* now = asks.findChild<QPushButton*>(QStringLiteral("mergeNow"));
               EXPECT_FALSE(now->isEnabled()) << "no file is named";
               hand.fill(asks.findChild<QLineEdit*>(QStringLiteral("mergeTheirs")), theirs);
               hand.fill(asks.findChild<QLineEdit*>(QStringLiteral("mergeBase")), base);
               hand.click(now);
               test::wait_for([&] { return !asks.isVisible() || now->isEnabled(); });
               said = asks.findChild<QLabel*>(QStringLiteral("mergeNote"))->text();
               if (asks.isVisible()) asks.reject();
             });
  }
  Attr filtersNow() { return graph().nodes.at(find("conv1")).attrs.at("out_channels"); }
  ProblemList& list() { return *child<ProblemList>({}); }
  int rowOf(const QString& words) {
    for (int row = 0; row < list().problemCount(); ++row)
      if (list().itemWidget(list().item(row))->toolTip().contains(words)) return row;
    return -1;
  }
  QPushButton* repair(const QString& words) {
    for (QPushButton* b : list().findChildren<QPushButton*>())
      if (b->text() == words) return b;
    return nullptr;
  }
  QString said;
};

TEST_F(MergeJourney, TakesWhatFitsAndShowsTheConflictOnItsLayerUntilItIsDecided) {
  const std::string before = ProjectFile::text(session().doc());
  mergeWith(at("theirs"), at("base"));
  analysed();
  EXPECT_EQ(session().doc().settings().epochs, 7) << "their change that nobody contradicts";
  EXPECT_EQ(filtersNow(), Attr(std::int64_t{8})) << "our side stands";
  EXPECT_TRUE(window().banner().text().contains(QStringLiteral("1 place was changed differently")))
      << window().banner().text().toStdString();
  EXPECT_EQ(scene().elements().node(find("conv1"))->look().state, NodeState::warning) << "the canvas shows where";
  ASSERT_GE(rowOf(QStringLiteral("out_channels is 8 on our side and 12 on theirs")), 0);
  ASSERT_NE(repair(QStringLiteral("Keep ours")), nullptr);
  window().banner().hide();
  action(QStringLiteral("next-problem"))->trigger();  // shows the list
  hand.click(repair(QStringLiteral("Take theirs")));
  ASSERT_TRUE(test::wait_for([&] { return filtersNow() == Attr(std::int64_t{12}); }));
  analysed();
  EXPECT_EQ(scene().elements().node(find("conv1"))->look().state == NodeState::warning, false);
  EXPECT_TRUE(recorded_conflicts(session().doc()).empty());
  session().undoStack().undo();
  EXPECT_EQ(filtersNow(), Attr(std::int64_t{8}));
  EXPECT_EQ(recorded_conflicts(session().doc()).size(), 1U);
  session().undoStack().undo();
  EXPECT_EQ(ProjectFile::text(session().doc()), before) << "the merge is one step";
}

TEST_F(MergeJourney, TheConflictsOfAMergedFileAreShownWhenItIsOpened) {
  const auto base = ProjectFile::load(at("base").toStdString()), theirs = ProjectFile::load(at("theirs").toStdString());
  ASSERT_TRUE(base && theirs);
  const auto merged = merge(*base, session().doc(), *theirs);
  ASSERT_TRUE(merged);
  save(merged->doc, "merged");
  openWindow({at("merged"), {}});
  window().showPage(QStringLiteral("design"));
  analysed();
  ASSERT_GE(rowOf(QStringLiteral("out_channels is 8 on our side and 12 on theirs")), 0);
  ASSERT_TRUE(test::wait_for([&] { return repair(QStringLiteral("Keep ours")) != nullptr; }));
  window().banner().hide();
  action(QStringLiteral("next-problem"))->trigger();
  hand.click(repair(QStringLiteral("Keep ours")));
  ASSERT_TRUE(test::wait_for([&] { return recorded_conflicts(session().doc()).empty(); }));
  EXPECT_EQ(filtersNow(), Attr(std::int64_t{8}));
}

TEST_F(MergeJourney, AFileThatCannotBeReadIsSaidInTheDialogAndNothingChanges) {
  const std::string before = ProjectFile::text(session().doc());
  mergeWith(folder.filePath(QStringLiteral("nobody.netwright")), at("base"));
  EXPECT_FALSE(said.isEmpty());
  EXPECT_EQ(ProjectFile::text(session().doc()), before);
}

}  // namespace
}  // namespace nw::ui
