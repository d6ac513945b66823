// SPDX-License-Identifier: GPL-3.0-or-later
// What can be laid over an image to see through a prediction: a layer's activation, and what speaks for a class.
#pragma once
#include <QImage>
#include <QString>
#include <span>
#include <vector>

#include "engine/core/json.hpp"

namespace nw::ui {

/// One way to look; a row of the menu.
struct Overlay {
  const char* id;  // "activation", or as the helper's "explain" names it
  const char* title;
  const char* hint;  // how to interpret the image
  bool of_layer, of_class;
  bool own_picture = false;  // stands by itself instead of over the image
  QString shownTitle() const;
  QString shownHint() const;
};
std::span<const Overlay> overlays();
/// The one of that name; the first for any other.
const Overlay& overlay_named(const QString& id);

/// Mean absolute value over the channels of (C,H,W) floats, scaled so that the largest is 1; one byte per place. Null:
/// not an image.
QImage mean_activation(const Json& shape, const std::vector<std::uint8_t>& floats);
/// Every map of (C,H,W) floats in a grid, each from its own black to its own white; at most 256. Null: not an image.
QImage feature_maps(const Json& shape, const std::vector<std::uint8_t>& floats);
/// The filters of (O,I,h,w) floats, grey is 0: in colour where they read three channels, else one row of input channels
/// for each; at most 24 of either (of one or three channels 256). Null: no filters.
QImage filter_images(const Json& shape, const std::vector<std::uint8_t>& floats);
/// What speaks for the class in (H,W) floats, scaled alike; what speaks against it is dark. Null: not an image.
QImage support_of(const Json& answer, const std::vector<std::uint8_t>& floats);
/// `heat` (grey) over `image` in the colours of attributions, its longer side `side` pixels; `opacity` 0…1 of the heat.
QImage over_image(const QImage& image, const QImage& heat, int side, double opacity = 1);

}  // namespace nw::ui
