// SPDX-License-Identifier: GPL-3.0-or-later
// The training doctor behind the health pill: findings with their evidence and one button each.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>

#include "tests/support/overfitted_run.hpp"
#include "tests/ui/journey/runs_journey.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/train/branch_dialog.hpp"
#include "ui/train/doctor_panel.hpp"
#include "ui/train/doctor_watch.hpp"
#include "ui/train/event_list.hpp"
#include "ui/train/evidence_chart.hpp"
#include "ui/train/health_pill.hpp"

namespace nw::ui {
namespace {

class DoctorJourney : public RunsJourney {
 protected:
  fs::path overFitted() {
    test::RunWriter& run = written.emplace_back(place.path() / "runs", test::definition_of("lenet5", 1000));
    test::write_overfitted(run);
    return run.folder();
  }
  DoctorPanel* panel() { return window().findChild<DoctorPanel*>(); }
};

TEST_F(DoctorJourney, ThePillSaysWhatWasFoundAndTheCardsButtonBranchesWithTheAdvice) {
  const fs::path run = overFitted();
  openWindow({{}, QStringLiteral("mlp")});
  window().openRun(QString::fromStdString(run.string()), QStringLiteral("train"));
  HealthPill& pill = train().events().pill();
  ASSERT_TRUE(test::wait_for([&] { return pill.text() == QStringLiteral("1 finding"); })) << pill.text().toStdString();
  EXPECT_EQ(pill.accessibleName(), QStringLiteral("Health of the run: 1 finding"));
  pill.setFocus();
  hand.key(Qt::Key_Space);
  ASSERT_TRUE(test::wait_for([&] { return panel() && panel()->isVisible(); }));
  const auto* chart = panel()->findChild<EvidenceChart*>();
  ASSERT_NE(chart, nullptr);
  ASSERT_FALSE(chart->series().empty());
  EXPECT_GE(chart->series().front().x.size(), 20U) << "every epoch";
  QStringList said;
  for (const QLabel* label : panel()->findChildren<QLabel*>()) said += label->text();
  EXPECT_TRUE(said.contains(translated(train().doctor().findings().front().sentence)))
      << said.join(u'\n').toStdString();
  QAbstractButton* advice = nullptr;
  for (QAbstractButton* each : panel()->findChildren<QAbstractButton*>())
    if (each->text().startsWith(QStringLiteral("Branch with Early stopping"))) advice = each;
  ASSERT_NE(advice, nullptr);
  inDialog([&] { hand.click(advice); },
           [&](QDialog& shown) {
             auto& dialog = static_cast<BranchDialog&>(shown);
             ASSERT_TRUE(test::wait_for([&] { return dialog.isCurrent(); }));
             const QStringList changes = dialog.request().settings;
             EXPECT_EQ(changes, QStringList{QStringLiteral("early_stopping_epochs=%1")
                                                .arg(QString::fromStdString(
                                                    train().doctor().findings().front().recommendation.value))});
             QTest::keyClick(&dialog, Qt::Key_Escape);
           });
}

TEST_F(DoctorJourney, AHealthyRunIsSaidToBeCleanAndItsImagesCanBeCompared) {
  openSmallProject(3, 2000);
  startByButton();
  ASSERT_TRUE(isState(RunController::State::idle));
  ASSERT_TRUE(test::wait_for([&] { return train().doctor().examined() && train().doctor().canBranch(); }));
  for (const doctor::Finding& f : train().doctor().findings()) ADD_FAILURE() << f.sentence.str();
  EXPECT_EQ(train().events().pill().text(), QStringLiteral("Healthy"));
  hand.click(&train().events().pill());
  ASSERT_TRUE(test::wait_for([&] { return panel() != nullptr; }));
  EXPECT_TRUE(
      panel()->findChild<QLabel*>(QStringLiteral("doctorSaid"))->text().startsWith(QStringLiteral("Nothing found")));
  auto* compare = panel()->findChild<QPushButton*>(QStringLiteral("compareImages"));
  hand.click(compare);
  EXPECT_FALSE(compare->isEnabled()) << "it is under way";
  ASSERT_TRUE(test::wait_for([&] { return train().doctor().imagesCompared() && compare->isEnabled(); }));
  EXPECT_EQ(compare->text(), QStringLiteral("Compare the images again"));
}

}  // namespace
}  // namespace nw::ui
