// SPDX-License-Identifier: GPL-3.0-or-later
// Screens of the Predict page's images.
#pragma once
#include "tests/gallery/screens.hpp"

namespace nw::ui {

QWidget* predictExport(Stage& s);
QWidget* predict(Stage& s);
bool predicted(Stage& s);
/// The most frequent confused pair is selected in the matrix, and a digit is drawn on the pad.
bool confusedPairs(Stage& s);
/// Grad-CAM of a selected image.
bool explained(Stage& s);
/// A layer's feature maps for the selected image; or a convolution's weights.
bool mapsShown(Stage& s);
bool filtersShown(Stage& s);

}  // namespace nw::ui
