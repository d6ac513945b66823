// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/train_page.hpp"

#include "ui/session/session.hpp"

namespace nw::ui {

TrainPage::TrainPage(Session& session) : session_(session) {}

Page* makeTrainPage(Session& session) { return new TrainPage(session); }

}  // namespace nw::ui
