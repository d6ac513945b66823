// SPDX-License-Identifier: GPL-3.0-or-later
// `netwright --thumbnail SIDE FILE PNG`: the drawing of a project, or of a run's run.json, as a picture, without a
// display. File managers call it (installer/desktop/netwright.thumbnailer; Thumbnail Managing Standard of
// freedesktop.org).
#pragma once
#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"

namespace nw::ui {

/// The network in a project or a run.json, which the content tells apart: some file managers pass a copy under another
/// name. Untrusted input; any thread.
Result<GraphDoc> drawingIn(const fs::path& file);
/// Whether these are the arguments of that call.
bool asksForThumbnail(int argc, char** argv);
/// Makes the program's QApplication; returns the exit code: 0; 2 for wrong arguments; 3 for a file that cannot be
/// read, 7 if the picture cannot be written, each after a sentence on stderr.
int makeThumbnail(int argc, char** argv);

}  // namespace nw::ui
