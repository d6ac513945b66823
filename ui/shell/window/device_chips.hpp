// SPDX-License-Identifier: GPL-3.0-or-later
// One chip a device: pressed in = the project trains on it; the bar below the name is how busy it is now. The CPU's
// menu splits it into virtual devices, so that training on several can be tried anywhere. A grey chip is a GPU that
// cannot train, or the place of one that is missing: it opens the panel that says why.
#pragma once
#include <QAbstractButton>
#include <QWidget>

namespace nw::ui {

class MachineWatch;
class Session;

class DeviceChip : public QAbstractButton {
  Q_OBJECT
 public:
  DeviceChip(const QString& device, const QString& text, QWidget* parent);
  QString device() const { return device_; }
  /// False: a click opens the panel of what is missing.
  bool canTrain() const { return canTrain_; }
  void setCanTrain(bool can);
  /// 0…1; < 0: not known. `series`: colour of the bar, -1 = text colour.
  void setLoad(double load, int series);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QString device_;
  double load_ = -1;
  int series_ = -1;
  bool canTrain_ = true;
};

class DeviceChips : public QWidget {
  Q_OBJECT
 public:
  DeviceChips(Session& session, MachineWatch& machine, QWidget* parent = nullptr);
  QList<DeviceChip*> chips() const { return chips_; }
  /// Trains on these from now on; one step of undo.
  void choose(const std::vector<std::string>& devices);

 private:
  void rebuild();
  void refresh();
  void showLoad();
  void pressed(DeviceChip* chip);
  void describe(DeviceChip& chip) const;
  void setThreads(int threads);
  QString descriptionOf(const std::string& device) const;
  void openPanel(const DeviceChip& chip);
  void showMenu(DeviceChip* chip, const QPoint& at);
  Session& session_;
  MachineWatch& machine_;
  QList<DeviceChip*> chips_;
};

}  // namespace nw::ui
