// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/device_chips.hpp"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QThread>
#include <algorithm>
#include <set>

#include "ui/session/machine_watch.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/window/device_panel.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

bool isCpu(const std::string& device) { return device.rfind("cpu", 0) == 0; }

/// Into how many devices the CPU is divided; 0: it does not train.
qsizetype cpuParts(const Session& session) {
  const auto& chosen = session.doc().settings().devices;
  return std::count_if(chosen.begin(), chosen.end(), isCpu);
}

const std::string noGpu = "no GPU";  // the chip in the place of GPUs

/// "cpu" → "CPU", of several parts "CPU ×2"; "cuda:0" → "GPU 0".
QString shownName(const std::string& device, qsizetype parts) {
  if (device == noGpu) return QStringLiteral("GPU");
  if (isCpu(device)) return parts > 1 ? QStringLiteral("CPU ×%1").arg(parts) : QStringLiteral("CPU");
  return QStringLiteral("GPU ") + QString::fromStdString(device.substr(device.find(':') + 1));
}

/// The chips to show: one for the CPU, then every GPU, or one in the place of GPUs.
std::vector<std::string> shown(const Session& session) {
  std::vector<std::string> names{"cpu"};
  for (const DeviceInfo& info : session.devices())
    if (!isCpu(info.name)) names.push_back(info.name);
  if (names.size() == 1) names.push_back(noGpu);
  return names;
}

/// The load of a GPU, of all processes: that another program uses it explains why a run is slow or does not fit.
QString loadText(const GpuSample& gpu) {
  return DeviceChips::tr("%1 busy, %2 of %3 in use")
      .arg(percentText(gpu.utilization / 100, 0), bytesText(gpu.memory_used_bytes), bytesText(gpu.memory_total_bytes));
}

/// What a GPU that can train is, and how to see more of it.
QString gpuTip(const QString& description, const QString& load) {
  QStringList lines{description, load, DeviceChips::tr("Right-click to see the libraries that it uses")};
  lines.removeAll(QString());
  return lines.join(u'\n');
}

/// "cpu", or the names of the parts.
std::vector<std::string> partsOfCpu(int parts) {
  if (parts == 1) return {"cpu"};
  std::vector<std::string> names;
  for (int i = 0; i < parts; ++i) names.push_back("cpu:" + std::to_string(i));
  return names;
}

}  // namespace

DeviceChip::DeviceChip(const QString& device, const QString& text, QWidget* parent)
    : QAbstractButton(parent), device_(device) {
  setText(text);
  setAccessibleName(text);
  setCheckable(true);
  setFocusPolicy(Qt::TabFocus);
  setAttribute(Qt::WA_Hover);
  setContextMenuPolicy(Qt::CustomContextMenu);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void DeviceChip::setCanTrain(bool can) {
  canTrain_ = can;
  setCheckable(can);
  update();
}

QSize DeviceChip::sizeHint() const {
  return {QFontMetrics(ui::font(TextRole::button)).horizontalAdvance(text()) + 22, 36};
}

void DeviceChip::setLoad(double load, int series) {
  load_ = load;
  series_ = series;
  update();
}

void DeviceChip::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const bool on = isChecked();
  const QColor line = on ? t.text3 : underMouse() ? t.border3 : t.border2;
  style::box(p, rect(), radius::group, on || underMouse() ? t.raised : t.window, line, on ? 1.4 : 1);
  QFont f = ui::font(TextRole::button);
  if (on) f.setWeight(QFont::DemiBold);
  p.setFont(f);
  p.setPen(on ? t.text1 : t.text3);
  p.drawText(QRectF(0, 4, width(), 18), Qt::AlignCenter, text());
  const QRectF track(10, height() - 11, width() - 20, 4);
  if (canTrain_) style::box(p, track, 2, t.track, QColor(0, 0, 0, 0));
  if (load_ > 0 && canTrain_) {
    QRectF busy = track;
    busy.setWidth(qMax(4.0, track.width() * qMin(load_, 1.0)));
    style::box(p, busy, 2, series_ < 0 ? t.text2 : t.series[series_ % 4], QColor(0, 0, 0, 0));
  }
  if (hasFocus()) style::focusRing(p, rect(), radius::group);
}

DeviceChips::DeviceChips(Session& session, MachineWatch& machine, QWidget* parent)
    : QWidget(parent), session_(session), machine_(machine) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  connect(&session_, &Session::documentChanged, this, [this](const Edit& edit) {
    for (const Put& put : edit)
      if (std::holds_alternative<PutSettings>(put)) return refresh();
  });
  connect(&session_, &Session::documentReplaced, this, &DeviceChips::refresh);
  connect(&session_, &Session::devicesChanged, this, &DeviceChips::refresh);
  connect(&machine_, &MachineWatch::sampled, this, &DeviceChips::showLoad);
  refresh();
}

void DeviceChips::refresh() {
  const std::vector<std::string> names = shown(session_);
  const bool same =
      std::equal(names.begin(), names.end(), chips_.begin(), chips_.end(),
                 [](const std::string& name, const DeviceChip* chip) { return name == chip->device().toStdString(); });
  if (!same) rebuild();
  const auto& chosen = session_.doc().settings().devices;
  for (DeviceChip* chip : std::as_const(chips_)) {
    const std::string name = chip->device().toStdString();
    chip->setText(shownName(name, cpuParts(session_)));
    describe(*chip);
    chip->updateGeometry();
    chip->setChecked(isCpu(name) ? cpuParts(session_) > 0
                                 : std::find(chosen.begin(), chosen.end(), name) != chosen.end());
  }
  showLoad();
}

void DeviceChips::rebuild() {
  for (DeviceChip* chip : std::as_const(chips_)) chip->deleteLater();
  chips_.clear();
  for (const std::string& name : shown(session_)) {
    auto* chip = new DeviceChip(QString::fromStdString(name), shownName(name, cpuParts(session_)), this);
    connect(chip, &QAbstractButton::clicked, this, [this, chip] { pressed(chip); });
    connect(chip, &QWidget::customContextMenuRequested, this,
            [this, chip](const QPoint& at) { showMenu(chip, chip->mapToGlobal(at)); });
    layout()->addWidget(chip);
    chip->show();
    chips_ << chip;
  }
  updateGeometry();
}

/// What the device is, or why it cannot train.
void DeviceChips::describe(DeviceChip& chip) const {
  const std::string name = chip.device().toStdString();
  const DeviceInfo* device = nullptr;
  for (const DeviceInfo& info : session_.devices())
    if (info.name == name || (isCpu(name) && isCpu(info.name))) device = &info;
  const bool can = device ? device->usable : name != noGpu;
  chip.setCanTrain(can);
  chip.setToolTip(name == noGpu ? tr("No GPU can train here. Click to see what is missing.")
                  : !device     ? QString()
                  : isCpu(name) ? QString::fromStdString(device->description)
                  : can         ? gpuTip(QString::fromStdString(device->description), {})
                                : translated(device->why_not));
  chip.setAccessibleName(can ? chip.text() : tr("%1: cannot train; shows what is missing").arg(chip.text()));
}

/// The CPU and GPUs do not train together: selecting one kind deselects the other. One device stays selected. The chip
/// of the CPU opens its choices, also when it takes over from a GPU.
void DeviceChips::pressed(DeviceChip* chip) {
  const std::string name = chip->device().toStdString();
  if (!chip->canTrain()) return openPanel(*chip);
  if (isCpu(name)) {
    if (cpuParts(session_) == 0) choose({"cpu"});
    refresh();  // the click has unchecked it
    return showMenu(chip, chip->mapToGlobal(QPoint(0, chip->height() + 4)));
  }
  std::vector<std::string> chosen;
  for (const std::string& other : session_.doc().settings().devices)
    if (other != name && isCpu(other) == isCpu(name)) chosen.push_back(other);
  const auto& before = session_.doc().settings().devices;
  const bool wasOn = std::find(before.begin(), before.end(), name) != before.end();
  if (!wasOn || chosen.empty()) chosen.push_back(name);
  std::sort(chosen.begin(), chosen.end());
  choose(chosen);
}

/// What was searched for to train on a GPU, and why this one cannot.
void DeviceChips::openPanel(const DeviceChip& chip) {
  const QString sentence = chip.device().toStdString() == noGpu ? QString()
                           : chip.canTrain()
                               ? tr("%1 can train here. These are the parts that it uses:").arg(chip.text())
                               : chip.toolTip();
  (new DevicePanel(window()))->openBelow(chip, sentence);
}

void DeviceChips::choose(const std::vector<std::string>& devices) {
  TrainSettings settings = session_.doc().settings();
  if (settings.devices != devices) {
    settings.devices = devices;
    session_.push({PutSettings{settings}}, tr("Choose devices"));
  }
  refresh();
}

void DeviceChips::setThreads(int threads) {
  TrainSettings settings = session_.doc().settings();
  settings.threads = threads;
  if (settings != session_.doc().settings()) session_.push({PutSettings{settings}}, tr("Choose threads"));
}

/// How the CPU is divided, and how many of its threads train; of a GPU, what it needs.
void DeviceChips::showMenu(DeviceChip* chip, const QPoint& at) {
  if (!isCpu(chip->device().toStdString())) return openPanel(*chip);
  QMenu menu(this);
  menu.setObjectName(QStringLiteral("cpuMenu"));
  const auto add = [&](const QString& text, bool on, auto&& choose) {
    QAction* row = menu.addAction(text, this, choose);
    row->setCheckable(true);
    row->setChecked(on);
  };
  std::set<int> divisions{1, 2, 4};
  if (const auto now = static_cast<int>(cpuParts(session_)); now > 0) divisions.insert(now);
  for (const int parts : divisions)
    add(parts == 1 ? tr("The whole CPU as one device") : tr("The CPU as %n device(s)", nullptr, parts),
        cpuParts(session_) == parts, [this, parts] { choose(partsOfCpu(parts)); });
  menu.addSeparator();
  const int all = std::max(1, QThread::idealThreadCount());
  const auto now = session_.doc().settings().threads;
  add(tr("Threads chosen automatically"), now == 0, [this] { setThreads(0); });
  std::set<int> counts{all};
  for (int threads = 1; threads < all; threads *= 2) counts.insert(threads);
  if (now > 0) counts.insert(static_cast<int>(now));  // chosen in the settings, perhaps on another computer
  for (const int threads : counts)
    add(tr("%n thread(s)", nullptr, threads), now == threads, [this, threads] { setThreads(threads); });
  menu.exec(at);
}

QString DeviceChips::descriptionOf(const std::string& device) const {
  for (const DeviceInfo& info : session_.devices())
    if (info.name == device) return QString::fromStdString(info.description);
  return {};
}

void DeviceChips::showLoad() {
  const DeviceSample& now = machine_.last();
  std::size_t gpu = 0;
  for (DeviceChip* chip : std::as_const(chips_)) {
    if (isCpu(chip->device().toStdString()))
      chip->setLoad(now.cpu / 100, -1);
    else {
      chip->setLoad(gpu < now.gpus.size() ? now.gpus[gpu].utilization / 100 : -1, static_cast<int>(gpu));
      if (gpu < now.gpus.size() && chip->canTrain())
        chip->setToolTip(gpuTip(descriptionOf(chip->device().toStdString()), loadText(now.gpus[gpu])));
      ++gpu;
    }
  }
}

}  // namespace nw::ui
