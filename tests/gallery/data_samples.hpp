// SPDX-License-Identifier: GPL-3.0-or-later
// Data of every kind for the pictures of the data panel: the built-in digits, written out as IDX files, a folder of
// images and a CSV.
#pragma once
#include "engine/design/choice.hpp"

namespace nw::ui {

DataChoice idxChoice();
DataChoice folderChoice();
DataChoice csvChoice();
/// An IDX file that holds fewer images than it promises.
DataChoice malformedChoice();

/// The same images with a few in both sets, a few saved otherwise, and files that are cut off.
DataChoice defectsChoice();

}  // namespace nw::ui
