// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_page.hpp"

#include "ui/session/session.hpp"

namespace nw::ui {

RunsPage::RunsPage(Session& session) : session_(session) {}

Page* makeRunsPage(Session& session) { return new RunsPage(session); }

}  // namespace nw::ui
