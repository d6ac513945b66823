// SPDX-License-Identifier: GPL-3.0-or-later
// "What's this?" explains every control of every dialog, in both languages. A dialog that is not tried here fails.
#include <QDirIterator>
#include <QRegularExpression>
#include <list>

#include "engine/examples/shape_photos.hpp"
#include "engine/submit/target.hpp"
#include "tests/support/overfitted_run.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/ui/journey/whats_this_rule.hpp"
#include "ui/canvas/editors/save_block_dialog.hpp"
#include "ui/data/explorer.hpp"
#include "ui/data/get_data_dialog.hpp"
#include "ui/data/photo_dialog.hpp"
#include "ui/data/table_targets_dialog.hpp"
#include "ui/design/compare_dialog.hpp"
#include "ui/predict/device_comparison_dialog.hpp"
#include "ui/predict/speed_dialog.hpp"
#include "ui/runs/computed_columns.hpp"
#include "ui/runs/train_further.hpp"
#include "ui/shell/files/merge_dialog.hpp"
#include "ui/shell/files/weight_match_dialog.hpp"
#include "ui/shell/help/about.hpp"
#include "ui/shell/help/help.hpp"
#include "ui/shell/preferences/preferences_dialog.hpp"
#include "ui/study/search_dialog.hpp"
#include "ui/submit/submit_dialog.hpp"
#include "ui/submit/submit_form.hpp"
#include "ui/train/branch_dialog.hpp"
#include "ui/train/doctor_panel.hpp"
#include "ui/train/doctor_watch.hpp"

namespace nw::ui {
namespace {

/// The names of all classes that derive from QDialog, in the headers of the window.
std::set<QString> classesOfDialogs() {
  static const QRegularExpression derived(
      QStringLiteral("\\b(?:class|struct) (\\w+)(?: final)? : (?:public )?QDialog\\b"));
  std::set<QString> names;
  const QString top = QString::fromStdString(test::source_folder()) + QStringLiteral("/ui");
  for (QDirIterator files(top, {QStringLiteral("*.hpp"), QStringLiteral("*.cpp")}, QDir::Files,
                          QDirIterator::Subdirectories);
       files.hasNext();) {
    QFile in(files.next());
    EXPECT_TRUE(in.open(QIODevice::ReadOnly));
    for (auto found = derived.globalMatch(QString::fromUtf8(in.readAll())); found.hasNext();)
      names.insert(found.next().captured(1));
  }
  return names;
}

class WhatsThisDialogs : public WhatsThisRule {
 protected:
  QString runWithAFinding() {
    test::RunWriter& writer = written.emplace_back(place.path(), test::definition_of("lenet5"));
    test::write_overfitted(writer);
    return QString::fromStdString(writer.folder().string());
  }
  void expectRunDialogs() {
    const QString run = runWithAFinding();
    BranchDialog branch(session(), run, 2000);
    ASSERT_TRUE(test::wait_for([&] { return branch.isCurrent(); }));
    expectDialog(branch);
    feed().follow(run);
    DoctorWatch watch(feed());
    DoctorPanel doctor(watch);
    ASSERT_TRUE(test::wait_for([&] { return watch.examined() && !watch.findings().empty(); }));
    expectDialog(doctor);
    TrainFurtherDialog further({}, session().doc().settings());
    ComputedDialog computed([](std::string_view) { return false; });
    SpeedDialog speed(run, QStringLiteral("best"), {QStringLiteral("cpu"), QStringLiteral("cuda:0")});
    DeviceComparisonDialog devices(run, QStringLiteral("best"), {QStringLiteral("cpu"), QStringLiteral("cuda:0")});
    for (QDialog* dialog : std::initializer_list<QDialog*>{&further, &computed, &speed, &devices})
      expectDialog(*dialog);
  }
  void expectDataDialogs() {
    const QString photos = folder.filePath(QStringLiteral("photos"));
    ASSERT_TRUE(write_shape_photos(photos.toStdString(), {PhotoShape::circle, PhotoShape::cross}, 3));
    PhotoDialog counted(session(), photos), refused(session(), photos + QStringLiteral("/circles"));
    ASSERT_TRUE(test::wait_for([&] { return counted.isCounted() && !refused.errorText().isEmpty(); }));
    Explorer explorer(session());
    GetDataDialog get(session());
    const TableHead head{{"file", "kind", "age"}, {"0001.png", "cat", "3.5"}, 0, -1};
    TableTargetsDialog targets(QStringLiteral("animals.csv"), head, nullptr);
    for (QDialog* dialog : std::initializer_list<QDialog*>{&counted, &refused, &explorer, &get, &targets})
      expectDialog(*dialog);
  }
  void expectProjectDialogs() {
    CompareDialog compare({QStringLiteral("old"), GraphDoc()}, {QStringLiteral("new"), session().doc()});
    MergeDialog merge(session());
    WeightMatchDialog weights(QStringLiteral("a.safetensors"), {{"w", {4}, {4}, exchange::WeightMatch::taken}},
                              nullptr);
    SaveBlockDialog save(QStringLiteral("Block"), {"layer-multiply", "What it does."}, {}, nullptr),
        replace(QStringLiteral("Block"), {"layer-multiply", "What it does."}, {QStringLiteral("Block")}, nullptr);
    for (QDialog* dialog : std::initializer_list<QDialog*>{&compare, &merge, &weights, &save, &replace})
      expectDialog(*dialog);
  }
  /// The form has other fields for each kind of machine.
  void expectSubmitDialog() {
    SubmitDialog submit(session(), QStringLiteral("/data"));
    for (const submit::Target* target : submit::all_targets()) {
      submit.form().choose(*target);
      expectDialog(submit);
    }
  }
  test::TemporaryFolder place;
  std::list<test::RunWriter> written;
};

TEST_P(WhatsThisDialogs, ExplainEveryControl) {
  openSmallProject(1, 300);
  expectProjectDialogs();
  expectDataDialogs();
  expectSubmitDialog();
  expectRunDialogs();
  PreferencesDialog preferences(session());
  HelpDialog help;
  AboutDialog about;
  SearchDialog search(session());
  ASSERT_TRUE(test::wait_for([&] { return search.loaded(); }));
  for (QDialog* dialog : std::initializer_list<QDialog*>{&preferences, &help, &about, &search}) expectDialog(*dialog);
  EXPECT_GT(controls, 120);
  EXPECT_EQ(dialogs, classesOfDialogs()) << "a dialog of ui/ is not tried here, or no longer there";
}

INSTANTIATE_TEST_SUITE_P(Languages, WhatsThisDialogs, testing::Values("en", "zh_CN"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace nw::ui
