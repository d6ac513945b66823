// SPDX-License-Identifier: GPL-3.0-or-later
// Data sets of every source kind for the screenshots of the data panel: the built-in digits, written as IDX files, a
// folder of images and a CSV.
#pragma once
#include "engine/design/choice.hpp"

namespace nw::ui {

DataChoice idxChoice();
DataChoice folderChoice();
DataChoice csvChoice();
/// A choice of IDX files, one of which holds fewer images than its header states.
DataChoice malformedChoice();

/// The same images with some in both sets, some near-duplicates and some truncated files.
DataChoice defectsChoice();

}  // namespace nw::ui
