// SPDX-License-Identifier: GPL-3.0-or-later
// `netwright --thumbnail SIDE PROJECT PNG`: a project's drawing as a picture, without a display. File managers call it
// (installer/desktop/netwright.thumbnailer; Thumbnail Managing Standard of freedesktop.org).
#pragma once

namespace nw::ui {

/// Whether these are the arguments of that call.
bool asksForThumbnail(int argc, char** argv);
/// Makes the program's QApplication; returns the exit code: 0; 2 for wrong arguments; 3 for a project that cannot be
/// read, 7 if the picture cannot be written, each after a sentence on stderr.
int makeThumbnail(int argc, char** argv);

}  // namespace nw::ui
