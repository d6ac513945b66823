// SPDX-License-Identifier: GPL-3.0-or-later
// Fetches one image of the chosen data set, so that the Input node shows a real sample.
#pragma once

namespace nw::ui {

class GraphScene;
class Session;

/// Follows the session's data for as long as the scene lives. It requests nothing before the data set was opened.
void showInputSample(Session& session, GraphScene& scene);

}  // namespace nw::ui
