// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs in the whole window, on fake ones: chosen by their chips, trained on, compared with the CPU layer by layer; and
// what the window says when they cannot be used.
#if defined(NW_FAKE_GPU)
#include <QFile>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableWidget>

#include "engine/design/project_file.hpp"
#include "tests/support/fake_machine.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/predict/device_comparison_dialog.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/metrics/metrics_view.hpp"
#include "ui/predict/speed_dialog.hpp"
#include "ui/shell/window/device_chips.hpp"
#include "ui/shell/window/device_panel.hpp"
#include "ui/train/event_list.hpp"
#include "ui/train/notice_bar.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

[[maybe_unused]] const bool opened_first = test::FakeMachine::open();

class Gpus : public Journey {
 protected:
  /// LeNet-5 on few digits: a fake GPU computes on the CPU.
  void openLittle(int epochs, int images = 64) {
    GraphDoc doc = find_template("lenet5")->make();
    DataChoice data = doc.data();
    data.kind = SourceKind::synthetic;
    data.synthetic_train = images;
    data.synthetic_test = 32;
    data.validation_fraction = 0;
    TrainSettings settings = doc.settings();
    settings.epochs = epochs;
    settings.batch = 32;
    ASSERT_TRUE(doc.apply({PutData{data}, PutSettings{settings}}));
    const QString file = folder.filePath(QStringLiteral("little.netwright"));
    ASSERT_TRUE(ProjectFile::save(doc, file.toStdString()));
    openWindow({file, {}});
    analysed();
  }
  DeviceChip* chip(const QString& device) {
    DeviceChip* found = nullptr;
    test::wait_for([&] {
      for (DeviceChip* each : window().findChild<DeviceChips*>()->chips())
        if (each->device() == device) found = each;
      return found != nullptr;
    });
    EXPECT_NE(found, nullptr) << "no chip of " << device.toStdString();
    return found;
  }
  void trainOn(const QString& device) {
    hand.click(chip(device));
    ASSERT_EQ(session().doc().settings().devices, std::vector<std::string>{device.toStdString()});
    startByButton();
  }
  void finished() {
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }, 60000));
  }
  void openComparison() {
    window().showPage(QStringLiteral("predict"));
    expectPredictionsArrive();
    hand.click(&predict().header().views(), predict().header().views().segmentRect(1).center().toPoint());
    hand.click(button(QStringLiteral("Measure speed")));
    ASSERT_TRUE(test::wait_for([&] { return window().findChild<SpeedDialog*>() != nullptr; }));
    hand.click(button(QStringLiteral("Compare layer by layer…"), window().findChild<SpeedDialog*>()));
    ASSERT_TRUE(test::wait_for([&] { return comparison() != nullptr; }));
    compared();
  }
  DeviceComparisonDialog* comparison() { return window().findChild<DeviceComparisonDialog*>(); }
  void compared() {
    ASSERT_TRUE(test::wait_for([&] { return !comparison()->comparing(); }, 120000));
  }
  /// The run ends with an error on the device; its notice.
  NoticeBar* failedNotice() {
    EXPECT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::failed; }, 60000));
    auto* notice = train().findChild<NoticeBar*>();
    EXPECT_TRUE(test::wait_for([&] { return notice->isVisible() && !notice->notice().sentence.isEmpty(); }));
    return notice;
  }
  /// The list of parts that a click with the right button on the chip opens, or with the left one on a grey chip.
  DevicePanel* parts(DeviceChip* of, Qt::MouseButton mouse) {
    QTest::mouseClick(window().windowHandle(), mouse, {}, of->mapTo(&window(), of->rect().center()));
    EXPECT_TRUE(test::wait_for([&] {
      auto* panel = window().findChild<DevicePanel*>();
      return panel && !panel->parts().empty();
    })) << "the list does not open";
    return window().findChild<DevicePanel*>();
  }
  bool isInEvents(const char* words) {
    EventModel& events = train().findChild<EventList*>()->model();
    for (int row = 0; row < events.rowCount(); ++row)
      if ((events.entry(row).title + events.entry(row).detail).contains(QLatin1String(words))) return true;
    return false;
  }
  static QString cell(const QTableWidget& t, int row, int column) {
    return t.item(row, column) ? t.item(row, column)->text() : QString();
  }
};

TEST_F(Gpus, AGpuIsComparedWithTheCpuLayerByLayer) {
  test::FakeMachine machine(1);
  openLittle(2);
  trainOn(QStringLiteral("cuda:0"));
  finished();
  openComparison();
  DeviceComparisonDialog& dialog = *comparison();
  ASSERT_EQ(dialog.devices().rowCount(), 2) << dialog.sentence().toStdString();
  EXPECT_EQ(cell(dialog.devices(), 0, 0), QStringLiteral("cpu"));
  EXPECT_EQ(cell(dialog.devices(), 1, 0), QStringLiteral("cuda:0"));
  for (int row = 0; row < 2; ++row) {
    EXPECT_GT(cell(dialog.devices(), row, 1).remove(QChar(0x202f)).remove(QChar(0x2009)).toInt(), 0) << "images/s";
    EXPECT_GT(cell(dialog.devices(), row, 2).toDouble(), 0) << "ms";
  }
  EXPECT_GT(cell(dialog.devices(), 1, 3).toDouble(), 0) << "the energy of the GPU";
  EXPECT_NEAR(cell(dialog.devices(), 0, 4).toDouble(), cell(dialog.devices(), 1, 4).toDouble(), 1e-3) << "loss";
  EXPECT_GE(dialog.layers().rowCount(), 8);
  EXPECT_TRUE(dialog.sentence().startsWith(QStringLiteral("No layer differs by more than 0.1")))
      << dialog.sentence().toStdString();
  EXPECT_TRUE(dialog.sentence().contains(QStringLiteral("0 of 32 images")));
}

// The device forgets to pool: the layers before agree, and the first one that does not is named.
TEST_F(Gpus, TheFirstLayerThatAWrongGpuComputesDifferentlyIsNamed) {
  test::FakeMachine machine(1);
  openLittle(1);
  trainOn(QStringLiteral("cuda:0"));
  finished();
  machine.set("NETWRIGHT_FAKE_GPU_SKIPS", "nw_max_pool2d_f32");
  openComparison();
  DeviceComparisonDialog& dialog = *comparison();
  EXPECT_TRUE(dialog.sentence().startsWith(QStringLiteral("The first layer that differs by more than 0.1")))
      << dialog.sentence().toStdString();
  EXPECT_TRUE(dialog.sentence().contains(QStringLiteral("is pool1."))) << dialog.sentence().toStdString();
  const auto chosen = dialog.layers().selectedItems();
  ASSERT_FALSE(chosen.isEmpty());
  EXPECT_EQ(chosen.front()->text(), QStringLiteral("pool1"));
  machine.set("NETWRIGHT_FAKE_GPU_SKIPS", "");
  hand.click(button(QStringLiteral("Compare again"), &dialog));
  ASSERT_TRUE(test::wait_for([&] { return dialog.comparing(); }));
  compared();
  EXPECT_TRUE(dialog.sentence().startsWith(QStringLiteral("No layer differs"))) << dialog.sentence().toStdString();
}

TEST_F(Gpus, ADeviceThatIsLostInMidRunIsReplacedByTheCpu) {
  test::FakeMachine machine(1, {{"NETWRIGHT_FAKE_GPU", "-1 46 -1 400"}});
  openLittle(100);
  trainOn(QStringLiteral("cuda:0"));
  NoticeBar* notice = failedNotice();
  EXPECT_TRUE(notice->notice().sentence.contains(QStringLiteral("cuda:0 is no longer accessible")))
      << notice->notice().sentence.toStdString();
  hand.click(button(QStringLiteral("Continue on the CPU"), notice));
  finished();
  EXPECT_EQ(feed().epochs().size(), 100U);
}

TEST_F(Gpus, ABatchThatDoesNotFitIsReportedWithOneThatWould) {
  test::FakeMachine machine(1, {{"NETWRIGHT_FAKE_GPU_FREE", "1000000"}});
  openLittle(1);
  trainOn(QStringLiteral("cuda:0"));
  const QString said = failedNotice()->notice().sentence;
  EXPECT_TRUE(said.contains(QStringLiteral("cuda:0 is out of memory"))) << said.toStdString();
  static const QRegularExpression one(QStringLiteral("a batch of [1-9]\\d* would fit"));
  EXPECT_TRUE(said.contains(one)) << said.toStdString();
}

// In place of cuDNN lies another library: the run says so and goes on without it.
TEST_F(Gpus, ALibraryThatCannotBeUsedIsNamedByTheRunAndByItsChip) {
  const QString file = folder.filePath(QStringLiteral("libcudnn.so.9"));
  ASSERT_TRUE(QFile::copy(QStringLiteral(NW_FAKE_GPU "/libnvidia-ml.so.1"), file));
  test::FakeMachine machine(1, {{"NETWRIGHT_CUDA_PATH", folder.path().toStdString()}});
  openLittle(1);
  trainOn(QStringLiteral("cuda:0"));
  finished();
  EXPECT_TRUE(test::wait_for([&] { return isInEvents("cuDNN here is too old"); }, 10000));
  DevicePanel* panel = parts(chip(QStringLiteral("cuda:0")), Qt::RightButton);
  const auto* row = panel->findChild<QWidget*>(QStringLiteral("part-cudnn"));
  ASSERT_NE(row, nullptr);
  EXPECT_TRUE(row->accessibleName().contains(file + QStringLiteral(" cannot be used")))
      << row->accessibleName().toStdString();
  EXPECT_EQ(session().doc().settings().devices, std::vector<std::string>{"cuda:0"}) << "nothing else is chosen";
  hand.key(Qt::Key_Escape);
}

TEST_F(Gpus, ChipsShowOneOrSeveralGpusAndHowBusyTheyAre) {
  test::FakeMachine machine(3, {{"NETWRIGHT_FAKE_GPU_LOAD", "97"}});
  openLittle(1);
  for (const char* device : {"cuda:0", "cuda:1", "cuda:2"})
    EXPECT_TRUE(chip(QLatin1String(device))->canTrain()) << device;
  hand.click(chip(QStringLiteral("cuda:0")));
  hand.click(chip(QStringLiteral("cuda:2")));
  EXPECT_EQ(session().doc().settings().devices, (std::vector<std::string>{"cuda:0", "cuda:2"}));
  ASSERT_TRUE(test::wait_for([&] { return chip(QStringLiteral("cuda:1"))->toolTip().contains(QStringLiteral("97")); }))
      << chip(QStringLiteral("cuda:1"))->toolTip().toStdString();
}

TEST_F(Gpus, ADriverThatIsTooOldIsNamedByTheGreyChip) {
  test::FakeMachine machine(1, {{"NETWRIGHT_FAKE_GPU_DRIVER", "12040"}});
  openLittle(1);
  DeviceChip* grey = chip(QStringLiteral("cuda:0"));
  ASSERT_TRUE(test::wait_for([&] { return !grey->canTrain(); }));
  EXPECT_TRUE(grey->toolTip().contains(QStringLiteral("CUDA 12.4"))) << grey->toolTip().toStdString();
  const QStringList shown = parts(grey, Qt::LeftButton)->report().split(u'\n');
  EXPECT_TRUE(shown.front().contains(QStringLiteral("cannot be used (it supports CUDA 12.4")))
      << shown.front().toStdString();
  hand.key(Qt::Key_Escape);
}

}  // namespace
}  // namespace nw::ui
#endif  // the plug-in and its fakes are there
