// SPDX-License-Identifier: GPL-3.0-or-later
// Fields made fields to search where they stand, by mouse and keyboard, and found in the dialog of a search.
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>

#include "engine/design/project_file.hpp"
#include "engine/search/project_space.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/design/inspector.hpp"
#include "ui/page/page.hpp"
#include "ui/settings/field_search.hpp"
#include "ui/settings/panel_row.hpp"
#include "ui/study/search_dialog.hpp"

namespace nw::ui {
namespace {

class FieldSearchJourney : public Journey {
 protected:
  FieldSearch* of(const QString& field) {
    for (QWidget* at = design().inspector().editorOf(field); at; at = at->parentWidget())
      if (auto* row = qobject_cast<PanelRow*>(at)) return row->search();
    return nullptr;
  }
  void select(const char* layer) {
    scene().selection().setCurrent(find(layer));
    QCoreApplication::processEvents();
  }
  void rename(const QString& name) {
    auto* line = child<QLineEdit>(QStringLiteral("layerName"));
    hand.fill(line, name);
    hand.key(Qt::Key_Return);
  }
  template <class Act>
  void inSearchDialog(Act act) {
    inDialog([] { action(QStringLiteral("search-settings"))->trigger(); },
             [&](QDialog& asks) {
               auto& dialog = static_cast<SearchDialog&>(asks);
               EXPECT_TRUE(test::wait_for([&] { return dialog.loaded(); }));
               act(dialog);
               dialog.reject();
             });
    window().showPage(QStringLiteral("design"));
  }
};

TEST_F(FieldSearchJourney, AFieldOfALayerIsSearchedWhereItStandsAndStandsInTheDialog) {
  openSmallProject(1, 300);
  select("fc1");
  FieldSearch* search = of(QStringLiteral("out_features"));
  ASSERT_NE(search, nullptr);
  hand.click(&search->mark());
  ASSERT_TRUE(search::project_parameter(session().doc(), "fc1.out_features"));
  auto* values = search->findChild<QLineEdit*>(QStringLiteral("searchValues"));
  EXPECT_TRUE(values->isVisible());
  hand.fill(values, QStringLiteral("60, 84, 120"));
  hand.key(Qt::Key_Return);
  rename(QStringLiteral("hidden"));
  inSearchDialog([](SearchDialog& dialog) {
    const int row = dialog.rowOf("hidden.out_features");
    ASSERT_EQ(row, 0) << "what the project names comes first, by its present name";
    EXPECT_EQ(dialog.fields().item(row, 0)->checkState(), Qt::Checked);
    EXPECT_EQ(dialog.fields().item(row, 5)->text(), QStringLiteral("60, 84, 120"));
    EXPECT_EQ(dialog.fields().item(dialog.rowOf("learning_rate"), 0)->checkState(), Qt::Unchecked);
  });
  session().undoStack().undo();
  session().undoStack().undo();
  session().undoStack().undo();
  inSearchDialog([](SearchDialog& dialog) {
    EXPECT_EQ(dialog.fields().item(dialog.rowOf("fc1.out_features"), 0)->checkState(), Qt::Unchecked);
    EXPECT_EQ(dialog.fields().item(dialog.rowOf("learning_rate"), 0)->checkState(), Qt::Checked);
  });
}

TEST_F(FieldSearchJourney, TheKeyboardAloneMakesAFieldAListAndTakesItBack) {
  openSmallProject(1, 300);
  select("conv1");
  QWidget* filters = design().inspector().editorOf(QStringLiteral("out_channels"));
  filters->setFocus();
  hand.fill(filters, QStringLiteral("4, 6, 8"));
  hand.key(Qt::Key_Return);
  ASSERT_TRUE(
      test::wait_for([&] { return search::project_parameter(session().doc(), "conv1.out_channels").has_value(); }));
  EXPECT_EQ(graph().nodes.at(find("conv1")).attrs.at("out_channels"), Attr(std::int64_t{6})) << "the value stays";
  for (int i = 0; i < 3 && QApplication::focusWidget() != &of(QStringLiteral("out_channels"))->mark(); ++i)
    hand.key(Qt::Key_Tab);
  ASSERT_EQ(QApplication::focusWidget(), &of(QStringLiteral("out_channels"))->mark());
  hand.key(Qt::Key_Space);
  EXPECT_FALSE(search::project_parameter(session().doc(), "conv1.out_channels"));
}

TEST_F(FieldSearchJourney, AFieldInsideABlockIsOne) {
  openWindow({{}, QStringLiteral("resnet18-cifar")});
  window().showPage(QStringLiteral("design"));
  analysed();
  const std::string block = session().doc().blocks().begin()->first;
  scene().setScope(block);
  QCoreApplication::processEvents();
  for (const auto& [id, node] : session().doc().graph(block).nodes)
    if (node.type == "BatchNorm2d") scene().selection().setCurrent(id);
  QCoreApplication::processEvents();
  FieldSearch* search = of(QStringLiteral("momentum"));
  ASSERT_NE(search, nullptr);
  hand.click(&search->mark());
  ASSERT_EQ(search::project_space(session().doc()).parameters.size(), 1U);
  const std::string name = search::project_space(session().doc()).parameters[0].name;
  EXPECT_TRUE(name.starts_with(block + "/")) << name;
  inSearchDialog([&](SearchDialog& dialog) { EXPECT_EQ(dialog.rowOf(name), 0); });
}

}  // namespace
}  // namespace nw::ui
