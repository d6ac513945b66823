// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/page.hpp"

namespace nw::ui {

Page* makeDesignPage(Session&) { return new Page; }

}  // namespace nw::ui
