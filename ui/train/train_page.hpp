// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/shell/page.hpp"

namespace nw::ui {

/// The page that watches one run: progress, charts, machine, events.
class TrainPage : public Page {
  Q_OBJECT
 public:
  explicit TrainPage(Session& session);

 private:
  Session& session_;
};

}  // namespace nw::ui
