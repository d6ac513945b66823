// SPDX-License-Identifier: GPL-3.0-or-later
// The diagram of the network as a file for papers, mails and slides.
#pragma once
#include <QImage>
#include <QString>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class GraphScene;

/// Exports the whole open scope in the window's theme, without selection marks. The file's extension chooses the
/// format: .svg, .pdf, .tex (TikZ) or .png. A PNG also contains the project, so that its recipient can open it.
Status exportDrawing(const GraphScene& scene, const QString& file);

/// The whole open scope, without selection marks, as large as fits into a square of `side` pixels.
QImage drawingPicture(const GraphScene& scene, int side);

/// The project in a PNG written by exportDrawing(); the picture is not decoded. Fails if the file is no image, or its
/// project is missing or damaged.
Result<GraphDoc> projectInPicture(const QString& file);

}  // namespace nw::ui
