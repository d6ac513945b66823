// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/gpu_screens.hpp"

#include <QProcess>

#include "engine/core/files.hpp"
#include "engine/design/project_file.hpp"
#include "tests/gallery/run_screens.hpp"
#include "tests/support/run_writer.hpp"
#include "ui/predict/device_comparison_dialog.hpp"
#include "ui/shell/window/device_chips.hpp"
#include "ui/shell/window/device_panel.hpp"
#include "ui/train/notice_bar.hpp"

namespace nw::ui {
namespace {

const fs::path& place() {
  static const test::TemporaryFolder folder;
  return folder.path();
}

/// A folder with a cuDNN that is another library.
std::string wrongLibrary() {
  const fs::path folder = place() / "cudnn";
  fs::create_directories(folder);
  std::error_code error;
  fs::copy_file(NW_FAKE_GPU "/libnvidia-ml.so.1", folder / "libcudnn.so.9", error);
  return folder.string();
}

void chooseDevices(Stage& s, std::vector<std::string> devices) {
  TrainSettings settings = s.work.session.doc().settings();
  settings.devices = std::move(devices);
  s.work.session.push({PutSettings{settings}}, QStringLiteral("devices"));
}

QList<DeviceChip*> chips(Stage& s) { return s.window->findChild<DeviceChips*>()->chips(); }

QWidget* onDesign(Stage& s, std::vector<std::string> devices) {
  s.open("lenet5");
  QWidget* shown = s.show(QStringLiteral("design"));
  chooseDevices(s, std::move(devices));
  return shown;
}

/// A run on the fake GPU of the screen, made once; it may fail. The fake GPU computes slowly: few epochs.
QString trained(const std::string& name, const char* network, std::int64_t batch, std::int64_t epochs) {
  const fs::path run = place() / name;
  if (fs::exists(run)) return QString::fromStdString(run.string());
  GraphDoc doc = find_template(network)->make();
  TrainSettings settings = doc.settings();
  settings.epochs = epochs;
  settings.batch = batch;
  settings.devices = {"cuda:0"};
  DataChoice data = doc.data();
  data.kind = SourceKind::synthetic;
  data.synthetic_train = 4 * batch;
  data.synthetic_test = 100;
  (void)doc.apply({PutSettings{settings}, PutData{data}});
  const fs::path project = place() / (name + ".netwright");
  (void)ProjectFile::save(doc, project.string());
  QProcess::execute(QString::fromStdString((program_folder() / "netwright-cli").string()),
                    {QStringLiteral("train"), QString::fromStdString(project.string()), QStringLiteral("--run-dir"),
                     QString::fromStdString(run.string()), QStringLiteral("--quiet")});
  return QString::fromStdString(run.string());
}

bool isOutOfMemory() { return qEnvironmentVariableIsSet("NETWRIGHT_FAKE_GPU_FREE"); }

QWidget* gpuOne(Stage& s) { return onDesign(s, {"cuda:0"}); }
QWidget* gpuSeveral(Stage& s) { return onDesign(s, {"cuda:0", "cuda:1", "cuda:3"}); }
QWidget* gpuBusy(Stage& s) { return onDesign(s, {"cuda:1"}); }
bool gpusShown(Stage& s) {
  return analysed(s) && chips(s).size() > 1 && chips(s).last()->device() != QLatin1String("no GPU");
}

/// Busy GPUs: what is read when the pointer rests on a chip, laid over the window.
bool loadShown(Stage& s) {
  DeviceChip* chip = chips(s).last();
  return gpusShown(s) && chip->toolTip().contains(QStringLiteral("97"));
}

QWidget* gpuRunFailed(Stage& s) {
  const QString run = isOutOfMemory() ? trained("memory", "mlp", 20000, 30) : trained("lost", "mlp", 64, 30);
  s.open("mlp");
  QWidget* shown = s.show(QStringLiteral("train"));
  s.window->openRun(run, QStringLiteral("train"));
  return shown;
}
bool gpuNoticeShown(Stage& s) {
  const auto* notice = s.window->findChild<NoticeBar*>();
  return gpusShown(s) && notice->isVisible() && !notice->notice().sentence.isEmpty();
}

/// What the chip shows: of a GPU that can train after a click with the right button.
QWidget* gpuPanel(Stage& s) {
  onDesign(s, {"cpu"});
  waitFor([&] { return gpusShown(s); }, 20000);
  DeviceChip* chip = chips(s).last();
  chip->canTrain() ? Q_EMIT chip->customContextMenuRequested({}) : chip->click();
  return s.window->findChild<DevicePanel*>();
}
bool gpuPanelSearched(Stage& s) { return !s.window->findChild<DevicePanel*>()->parts().empty(); }

QWidget* gpuCompared(Stage& s) {
  s.extra = std::make_unique<DeviceComparisonDialog>(trained("compared", "lenet5", 16, 2), QStringLiteral("latest"),
                                                     QStringList{QStringLiteral("cpu"), QStringLiteral("cuda:0")});
  s.extra->show();
  return s.extra.get();
}
bool gpusCompared(Stage& s) { return !static_cast<DeviceComparisonDialog*>(s.extra.get())->comparing(); }

}  // namespace

std::optional<GpuSetup> gpuSetup(const char* screen) {
  static const std::map<std::string, GpuSetup> setups{
      {"gpu-one", {1}},
      {"gpu-several", {4}},
      {"gpu-busy", {2, {{"NETWRIGHT_FAKE_GPU_LOAD", "97"}}}},
      {"gpu-lost", {1, {{"NETWRIGHT_FAKE_GPU", "-1 46 -1 1500"}}}},
      {"gpu-memory", {1, {{"NETWRIGHT_FAKE_GPU_FREE", "40000000"}}}},
      {"gpu-old-driver", {1, {{"NETWRIGHT_FAKE_GPU_DRIVER", "12040"}}}},
      {"gpu-wrong-library", {1, {{"NETWRIGHT_CUDA_PATH", wrongLibrary()}}}},
      {"gpu-compared", {1}},
      {"gpu-diverges", {1, {{"NETWRIGHT_FAKE_GPU_SKIPS", "nw_max_pool2d_f32"}}}}};
  const auto found = setups.find(screen);
  return found == setups.end() ? std::nullopt : std::optional(found->second);
}

const std::vector<Screen>& gpuScreens() {
  static const std::vector<Screen> table = {
      {"gpu-one", wholeWindow, gpuOne, gpusShown},
      {"gpu-several", wholeWindow, gpuSeveral, gpusShown},
      {"gpu-busy", wholeWindow, gpuBusy, loadShown},
      {"gpu-lost", wholeWindow, gpuRunFailed, gpuNoticeShown},
      {"gpu-memory", wholeWindow, gpuRunFailed, gpuNoticeShown},
      {"gpu-old-driver", {460, 470}, gpuPanel, gpuPanelSearched},
      {"gpu-wrong-library", {460, 470}, gpuPanel, gpuPanelSearched},
      {"gpu-compared", {760, 560}, gpuCompared, gpusCompared},
      {"gpu-diverges", {760, 560}, gpuCompared, gpusCompared},
  };
  return table;
}

}  // namespace nw::ui
