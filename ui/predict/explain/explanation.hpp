// SPDX-License-Identifier: GPL-3.0-or-later
// Overlays that explain a prediction: activations of a layer and attributions of a class.
#pragma once
#include <QImage>
#include <QString>
#include <span>
#include <vector>

#include "engine/core/json.hpp"

namespace nw::ui {

/// One kind of overlay; a row of the menu.
struct Overlay {
  const char* id;  // "activation", or as the helper's "explain" names it
  const char* title;
  const char* hint;  // how to interpret the image
  bool of_layer, of_class;
  bool own_picture = false;  // shown alone instead of over the image
  QString shownTitle() const;
  QString shownHint() const;
};
std::span<const Overlay> overlays();
/// The overlay with that id; the first overlay for an unknown id.
const Overlay& overlay_named(const QString& id);

/// Mean absolute value over the channels of (C,H,W) floats, scaled so that the largest is 1; one byte per place. Null:
/// not an image.
QImage mean_activation(const Json& shape, const std::vector<std::uint8_t>& floats);
/// Every map of (C,H,W) floats in a grid, each from its own black to its own white; at most 256. Null: not an image.
QImage feature_maps(const Json& shape, const std::vector<std::uint8_t>& floats);
/// The filters of (O,I,h,w) floats, grey is 0: in colour for three input channels, else one row of input channels
/// for each; at most 24 of either (of one or three channels 256). Null: no filters.
QImage filter_images(const Json& shape, const std::vector<std::uint8_t>& floats);
/// Positive attributions of (H,W) floats, scaled so that the largest is 1; negative ones are 0. Null: not an image.
QImage support_of(const Json& answer, const std::vector<std::uint8_t>& floats);
/// `heat` (grey) over `image` in the colours of attributions, its longer side `side` pixels; `opacity` 0…1 of the heat.
QImage over_image(const QImage& image, const QImage& heat, int side, double opacity = 1);

}  // namespace nw::ui
