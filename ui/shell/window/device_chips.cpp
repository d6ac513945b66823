// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/device_chips.hpp"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/session/machine_watch.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

bool isCpu(const std::string& device) { return device.rfind("cpu", 0) == 0; }

/// "cpu:1" → "CPU 1", "cuda:0" → "GPU 0".
QString shownName(const std::string& device) {
  const auto colon = device.find(':');
  const QString number =
      colon == std::string::npos ? QString() : QStringLiteral(" ") + QString::fromStdString(device.substr(colon + 1));
  return (isCpu(device) ? QStringLiteral("CPU") : QStringLiteral("GPU")) + number;
}

/// The chips to show: the CPU (or the parts it is divided into), then every GPU.
std::vector<std::string> shown(const Session& session) {
  std::vector<std::string> names, gpus;
  for (const std::string& device : session.doc().settings().devices)
    if (isCpu(device)) names.push_back(device);
  if (names.empty()) names.push_back("cpu");
  for (const DeviceInfo& info : session.devices())
    if (!isCpu(info.name)) gpus.push_back(info.name);
  names.insert(names.end(), gpus.begin(), gpus.end());
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
  p.setPen(isEnabled() ? (on ? t.text1 : t.text3) : t.text3);
  p.drawText(QRectF(0, 4, width(), 18), Qt::AlignCenter, text());
  const QRectF track(10, height() - 11, width() - 20, 4);
  style::box(p, track, 2, t.track, QColor(0, 0, 0, 0));
  if (load_ > 0) {
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
  for (DeviceChip* chip : std::as_const(chips_))
    chip->setChecked(std::find(chosen.begin(), chosen.end(), chip->device().toStdString()) != chosen.end());
  showLoad();
}

void DeviceChips::rebuild() {
  for (DeviceChip* chip : std::as_const(chips_)) chip->deleteLater();
  chips_.clear();
  for (const std::string& name : shown(session_)) {
    auto* chip = new DeviceChip(QString::fromStdString(name), shownName(name), this);
    for (const DeviceInfo& info : session_.devices()) {
      if (info.name != name && !(isCpu(name) && isCpu(info.name))) continue;
      chip->setEnabled(info.usable);
      chip->setToolTip(info.usable ? QString::fromStdString(info.description) : translated(info.why_not));
    }
    connect(chip, &QAbstractButton::clicked, this, [this, chip] { pressed(chip->device()); });
    connect(chip, &QWidget::customContextMenuRequested, this,
            [this, chip](const QPoint& at) { showMenu(chip, chip->mapToGlobal(at)); });
    layout()->addWidget(chip);
    chip->show();
    chips_ << chip;
  }
  updateGeometry();
}

/// The CPU and GPUs do not train together: selecting one kind deselects the other. One device stays selected.
void DeviceChips::pressed(const QString& device) {
  const std::string name = device.toStdString();
  std::vector<std::string> chosen;
  for (const std::string& other : session_.doc().settings().devices)
    if (other != name && isCpu(other) == isCpu(name)) chosen.push_back(other);
  const auto& before = session_.doc().settings().devices;
  const bool wasOn = std::find(before.begin(), before.end(), name) != before.end();
  if (!wasOn || chosen.empty()) chosen.push_back(name);
  std::sort(chosen.begin(), chosen.end());
  choose(chosen);
}

void DeviceChips::choose(const std::vector<std::string>& devices) {
  TrainSettings settings = session_.doc().settings();
  if (settings.devices != devices) {
    settings.devices = devices;
    session_.push({PutSettings{settings}}, tr("Choose devices"));
  }
  refresh();
}

void DeviceChips::showMenu(DeviceChip* chip, const QPoint& at) {
  if (!isCpu(chip->device().toStdString())) return;
  QMenu menu;
  menu.addAction(tr("The whole CPU as one device"), this, [this] { choose({"cpu"}); });
  menu.addAction(tr("Split the CPU into two devices"), this, [this] { choose({"cpu:0", "cpu:1"}); });
  menu.addAction(tr("Split the CPU into four devices"), this, [this] { choose({"cpu:0", "cpu:1", "cpu:2", "cpu:3"}); });
  menu.exec(at);
}

void DeviceChips::showLoad() {
  const DeviceSample& now = machine_.last();
  std::size_t gpu = 0;
  for (DeviceChip* chip : std::as_const(chips_)) {
    if (isCpu(chip->device().toStdString()))
      chip->setLoad(now.cpu / 100, -1);
    else {
      chip->setLoad(gpu < now.gpus.size() ? now.gpus[gpu].utilization / 100 : -1, static_cast<int>(gpu));
      ++gpu;
    }
  }
}

}  // namespace nw::ui
