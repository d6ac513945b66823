// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/shell/page.hpp"

namespace nw::ui {

/// Every run on this computer: table, curves side by side, and what to do with one.
class RunsPage : public Page {
  Q_OBJECT
 public:
  explicit RunsPage(Session& session);

 private:
  Session& session_;
};

}  // namespace nw::ui
