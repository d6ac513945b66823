// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTreeWidget>

#include "engine/runs/run_folder.hpp"
#include "tests/ui/design/bench.hpp"
#include "ui/design/compare_dialog.hpp"

namespace nw::ui {
namespace {

TEST_F(DesignTest, TwoProjectsAreShownSideBySideAndALayerCanBeChosen) {
  open("lenet5");
  const GraphDoc before = session.doc();
  session.push(set_attr(session.doc(), "", find("conv2"), "out_channels", std::int64_t{32}), QStringLiteral("Filters"));
  session.push(remove_nodes(session.doc(), "", {find("relu1")}, true), QStringLiteral("Delete"));
  CompareDialog dialog({QStringLiteral("old"), before}, {QStringLiteral("new"), session.doc()});
  dialog.show();
  EXPECT_EQ(dialog.findChild<QLabel*>(QStringLiteral("compareSummary"))->text(),
            CompareDialog::tr("Layers: %1 added, %2 removed, %3 changed").arg(0).arg(1).arg(1));
  const auto changed = dialog.tree().findItems(QStringLiteral("out_channels"), Qt::MatchContains | Qt::MatchRecursive);
  ASSERT_EQ(changed.size(), 1);
  EXPECT_EQ(changed[0]->text(1), QStringLiteral("16"));
  EXPECT_EQ(changed[0]->text(2), QStringLiteral("32"));
  QSignalSpy chosen(&dialog, &CompareDialog::chosen);
  dialog.tree().setCurrentItem(changed[0]->parent());
  dialog.tree().setFocus();
  QTest::keyClick(&dialog.tree(), Qt::Key_Return);
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen[0][1].toLongLong(), find("conv2"));
}

TEST_F(DesignTest, ARunIsComparedByItsFolder) {
  open("lenet5");
  QTemporaryDir folder;
  RunDefinition run{.name = "mlp", .doc = find_template("mlp")->make()};
  const auto made = create_run_folder(folder.path().toStdString(), run);
  ASSERT_TRUE(made);
  compareWith(session, QString::fromStdString(made->string()), &page);
  ASSERT_TRUE(QTest::qWaitFor([&] { return page.findChild<CompareDialog*>() != nullptr; }, 10000));
  EXPECT_GT(page.findChild<CompareDialog*>()->difference().count(ChangeKind::added), 0);
}

TEST_F(DesignTest, AProjectThatCannotBeComparedIsReported) {
  QSignalSpy messages(&session, &Session::message);
  compareWith(session, QStringLiteral("/nowhere/at-all.netwright"), &page);
  ASSERT_TRUE(messages.wait(10000));
  EXPECT_EQ(messages[0][1].toInt(), 2);
}

}  // namespace
}  // namespace nw::ui
