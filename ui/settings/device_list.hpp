// SPDX-License-Identifier: GPL-3.0-or-later
// The devices a run may use, each with its description or the reason why it is unavailable. Several GPUs, or several
// parts of the CPU, train together.
#pragma once
#include <QWidget>
#include <string>
#include <vector>

#include "engine/monitor/monitor.hpp"

class QVBoxLayout;

namespace nw::ui {

class DeviceList : public QWidget {
  Q_OBJECT
 public:
  explicit DeviceList(QWidget* parent = nullptr);
  void setDevices(const std::vector<DeviceInfo>& devices);
  void setChosen(const std::vector<std::string>& chosen);

 Q_SIGNALS:
  void chosenChanged(const std::vector<std::string>& chosen);

 private:
  void addLine(const std::vector<std::string>& names, const QString& title, const QString& about,
               const QString& whyNot);
  void clicked(const std::vector<std::string>& names, bool on);

  QVBoxLayout* rows_;
  std::vector<std::pair<std::vector<std::string>, class QCheckBox*>> boxes_;
  std::vector<std::string> chosen_ = {"cpu"};
};

}  // namespace nw::ui
