// SPDX-License-Identifier: GPL-3.0-or-later
// Fields that are searched where they stand: the button, the line below, lists typed into the field itself.
#include "ui/settings/field_search.hpp"
#include "engine/search/project_space.hpp"
#include "tests/ui/settings/settings_panel_fixture.hpp"
#include "ui/settings/panel_row.hpp"

namespace nw::ui {
namespace {

class FieldSearchTest : public SettingsPanelTest {
 protected:
  FieldSearch* of(const char* id) {
    auto* row = qobject_cast<PanelRow*>(panel->control(QLatin1String(id))->parentWidget());
    return row ? row->search() : nullptr;
  }
  QLineEdit* line(const char* id) { return of(id)->findChild<QLineEdit*>(QStringLiteral("searchValues")); }
  QString refused(const char* id) { return of(id)->findChild<RefusalNote*>()->sentence(); }
  std::optional<search::Parameter> searched(const char* name) {
    return search::project_parameter(session->doc(), name);
  }
  void type(QWidget* field, const char* text) {
    panel->setVisible(true);
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, QString::fromUtf8(text));
    QTest::keyClick(field, Qt::Key_Return);
    QCoreApplication::processEvents();
  }
};

TEST_F(FieldSearchTest, TheButtonTakesTheSuggestionAndTheCrossGivesItUp) {
  const std::string before = ProjectFile::text(session->doc());
  EXPECT_FALSE(of("learning_rate")->searched());
  of("learning_rate")->mark().click();
  ASSERT_TRUE(searched("learning_rate"));
  EXPECT_TRUE(searched("learning_rate")->log);
  EXPECT_TRUE(of("learning_rate")->searched());
  EXPECT_EQ(line("learning_rate")->text().toStdString(), search::text_of(*searched("learning_rate")));
  EXPECT_EQ(session->undoStack().count(), 1);
  session->undoStack().undo();
  EXPECT_EQ(ProjectFile::text(session->doc()), before);
  EXPECT_FALSE(of("learning_rate")->searched());
  session->undoStack().redo();
  of("learning_rate")->findChild<QPushButton*>(QStringLiteral("searchRemove"))->click();
  EXPECT_FALSE(searched("learning_rate"));
  EXPECT_FALSE(of("learning_rate")->searched());
}

TEST_F(FieldSearchTest, TheNameOfAFieldThatIsSearchedIsWhole) {
  panel->resize(300, 900);
  panel->setVisible(true);
  for (const SettingRow& row : panel->rows()) {
    if (!panel->isShown(row.id) || !of(row.id.toUtf8().constData())) continue;
    of(row.id.toUtf8().constData())->mark().click();
    QCoreApplication::processEvents();
    auto* line = static_cast<PanelRow*>(panel->control(row.id)->parentWidget());
    for (const auto* label : line->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
      if (label->text() == row.label)
        EXPECT_GE(label->height(), label->heightForWidth(label->width())) << row.label.toStdString();
  }
}

TEST_F(FieldSearchTest, ARangeAndItsLogarithmAreWrittenBelowTheField) {
  of("learning_rate")->mark().click();
  type(line("learning_rate"), "0.002 .. 0.02");
  EXPECT_EQ(searched("learning_rate")->low, 0.002);
  EXPECT_TRUE(searched("learning_rate")->log);
  auto* log = of("learning_rate")->findChild<QAbstractButton*>(QStringLiteral("searchLog"));
  log->click();
  EXPECT_FALSE(searched("learning_rate")->log);
  type(line("learning_rate"), "0.01, 0.05");
  EXPECT_EQ(searched("learning_rate")->values, (std::vector<Json>{0.01, 0.05}));
  EXPECT_TRUE(log->isHidden()) << "a list has no logarithm";
}

TEST_F(FieldSearchTest, WhatIsRefusedStaysWithItsReason) {
  of("batch")->mark().click();
  const auto before = searched("batch");
  type(line("batch"), "16, many");
  EXPECT_FALSE(refused("batch").isEmpty());
  EXPECT_EQ(line("batch")->text(), QStringLiteral("16, many"));
  EXPECT_EQ(searched("batch"), before);
  type(spin("batch"), "16, 0");
  EXPECT_FALSE(refused("batch").isEmpty());
  EXPECT_EQ(line("batch")->text(), QStringLiteral("16, 0")) << "what was typed into the field itself";
  type(line("batch"), "16, 48");
  EXPECT_TRUE(refused("batch").isEmpty());
  EXPECT_EQ(searched("batch")->values, (std::vector<Json>{16, 48}));
}

TEST_F(FieldSearchTest, AListTypedIntoTheFieldIsSearchedAndTheValueStays) {
  const std::int64_t batch = settings().batch;
  const double rate = settings().learning_rate;
  type(spin("batch"), "16, 32, 64");
  ASSERT_TRUE(searched("batch"));
  EXPECT_EQ(searched("batch")->values, (std::vector<Json>{16, 32, 64}));
  EXPECT_EQ(settings().batch, batch);
  EXPECT_FALSE(spin("batch")->isRefused());
  EXPECT_EQ(spin("batch")->value(), static_cast<double>(batch));
  type(spin("learning_rate"), "0.01..0.1");
  ASSERT_TRUE(searched("learning_rate"));
  EXPECT_EQ(searched("learning_rate")->high, 0.1);
  EXPECT_EQ(settings().learning_rate, rate);
  type(spin("learning_rate"), "200,5");
  EXPECT_TRUE(spin("learning_rate")->isRefused()) << "a number out of range, and no list";
  EXPECT_EQ(searched("learning_rate")->high, 0.1);
  type(spin("learning_rate"), "0,05");
  EXPECT_EQ(settings().learning_rate, 0.05) << "one comma is a decimal sign";
}

TEST_F(FieldSearchTest, IsNotOfferedForTheStudysOwnSettingsAndNamesTheOptimizersOwn) {
  for (const char* id : {"epochs", "threads", "keep_checkpoints"}) EXPECT_EQ(of(id), nullptr) << id;
  ASSERT_NE(of("momentum"), nullptr);
  of("momentum")->mark().click();
  EXPECT_TRUE(searched("optimizer.momentum"));
}

TEST_F(FieldSearchTest, EveryOfferedSettingThatIsShownCanBeSearched) {
  for (const SettingRow& row : panel->rows()) {
    if (!panel->isShown(row.id) || !of(row.id.toUtf8().constData())) continue;
    of(row.id.toUtf8().constData())->mark().click();
    EXPECT_TRUE(of(row.id.toUtf8().constData())->searched()) << row.id.toStdString();
  }
}

TEST_F(FieldSearchTest, TheButtonIsQuietUntilTheFieldIsReached) {
  panel->resize(340, 700);
  panel->setVisible(true);
  panel->activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(panel.get()));
  SearchMark& mark = of("batch")->mark();
  const auto looks = [&] { return mark.grab().toImage(); };
  spin("learning_rate")->setFocus();
  QCoreApplication::processEvents();
  const QImage quiet = looks();
  spin("batch")->setFocus();
  QCoreApplication::processEvents();
  EXPECT_NE(looks(), quiet);
  EXPECT_EQ(mark.focusPolicy(), Qt::TabFocus);
  EXPECT_FALSE(mark.accessibleName().isEmpty());
}

}  // namespace
}  // namespace nw::ui
