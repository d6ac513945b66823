// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the load of processor, memory and GPUs once a second on its own thread.
#pragma once
#include <QObject>
#include <memory>

#include "engine/runs/events.hpp"

namespace nw::ui {

class MachineWatch : public QObject {
  Q_OBJECT
 public:
  explicit MachineWatch(QObject* parent = nullptr);
  ~MachineWatch() override;
  const DeviceSample& last() const { return last_; }

 Q_SIGNALS:
  void sampled();  // last() is new; GUI thread

 private:
  struct Worker;
  std::unique_ptr<Worker> worker_;
  DeviceSample last_;
};

}  // namespace nw::ui
