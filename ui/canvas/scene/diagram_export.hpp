// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing as a file for papers, mails and slides.
#pragma once
#include <QString>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class GraphScene;

/// The scope on show, whole, in the theme of the window, without what is selected. The ending chooses: .svg, .pdf or
/// .png. A PNG also carries the project, so that whoever gets the picture can open it.
Status exportDrawing(const GraphScene& scene, const QString& file);

/// The project that a PNG of exportDrawing() carries. Refused in one sentence: not a picture, a picture without a
/// project, or one that holds a damaged one.
Result<GraphDoc> projectInPicture(const QString& file);

}  // namespace nw::ui
