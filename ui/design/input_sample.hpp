// SPDX-License-Identifier: GPL-3.0-or-later
// Fetches one image of the chosen data, so that the Input's card shows what really comes in.
#pragma once

namespace nw::ui {

class GraphScene;
class Session;

/// Follows the session's data for as long as the scene lives. Nothing is asked before the data was opened.
void showInputSample(Session& session, GraphScene& scene);

}  // namespace nw::ui
