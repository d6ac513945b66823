// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/device_list.hpp"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLabel>
#include <algorithm>

#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
bool is_cpu(const std::string& name) { return name.rfind("cpu", 0) == 0; }

/// The name shown for a device: "GPU 1" for "cuda:1".
QString title_of(const std::string& name) {
  if (name == "cpu") return QStringLiteral("CPU");
  return name.rfind("cuda:", 0) == 0 ? QStringLiteral("GPU %1").arg(QString::fromStdString(name.substr(5)))
                                     : QString::fromStdString(name);
}
}  // namespace

DeviceList::DeviceList(QWidget* parent) : QWidget(parent), rows_(new QVBoxLayout(this)) {
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setSpacing(space::xs);
  setAccessibleName(tr("Devices"));
}

void DeviceList::addLine(const std::vector<std::string>& names, const QString& title, const QString& about,
                         const QString& whyNot) {
  auto* box = new QCheckBox(title, this);
  box->setObjectName(QStringLiteral("device.") + QString::fromStdString(names.front()));
  box->setEnabled(whyNot.isEmpty());
  box->setAccessibleDescription(whyNot.isEmpty() ? about : whyNot);
  rows_->addWidget(box);
  if (const QString below = whyNot.isEmpty() ? about : whyNot; !below.isEmpty()) {
    QLabel* label = makeLabel(below, 3, static_cast<int>(TextRole::secondary), this);
    label->setWordWrap(true);
    label->setContentsMargins(24, 0, 0, 4);
    rows_->addWidget(label);
  }
  connect(box, &QCheckBox::clicked, this, [this, names](bool on) { clicked(names, on); });
  boxes_.emplace_back(names, box);
}

void DeviceList::setDevices(const std::vector<DeviceInfo>& devices) {
  while (QLayoutItem* item = rows_->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  boxes_.clear();
  const auto add = [this](const DeviceInfo& d) {
    addLine({d.name}, title_of(d.name), QString::fromStdString(d.description),
            d.usable ? QString() : translated(d.why_not));
  };
  for (const DeviceInfo& d : devices)
    if (d.name == "cpu") add(d);
  addLine({"cpu:0", "cpu:1"}, tr("CPU as two devices"),
          tr("cpu:0 and cpu:1: the cores are divided between two devices that train together, as two GPUs would"), {});
  for (const DeviceInfo& d : devices)
    if (!is_cpu(d.name)) add(d);
  setChosen(chosen_);
}

void DeviceList::setChosen(const std::vector<std::string>& chosen) {
  chosen_ = chosen;
  for (const auto& [names, box] : boxes_)
    box->setChecked(std::all_of(names.begin(), names.end(), [&](const std::string& n) {
      return std::find(chosen.begin(), chosen.end(), n) != chosen.end();
    }));
}

/// CPU entries exclude each other and all GPUs; several GPUs can be chosen; an empty choice means the CPU.
void DeviceList::clicked(const std::vector<std::string>& names, bool on) {
  std::vector<std::string> next = chosen_;
  if (is_cpu(names.front())) {
    next = on ? names : std::vector<std::string>{};
  } else {
    std::erase_if(next, [&](const std::string& n) { return is_cpu(n) || n == names.front(); });
    if (on) next.push_back(names.front());
    std::sort(next.begin(), next.end());
  }
  if (next.empty()) next = {"cpu"};
  setChosen(next);
  Q_EMIT chosenChanged(next);
}

}  // namespace nw::ui
