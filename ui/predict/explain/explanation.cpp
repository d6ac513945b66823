// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/explain/explanation.hpp"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr std::array<Overlay, 8> table{{
    {"activation", QT_TRANSLATE_NOOP("Overlay", "Activation"),
     QT_TRANSLATE_NOOP("Overlay", "Bright: large output of this layer, averaged over its channels"), true, false},
    {"feature-maps", QT_TRANSLATE_NOOP("Overlay", "Feature maps"),
     QT_TRANSLATE_NOOP("Overlay",
                       "All feature maps of this layer for this image, each scaled from its minimum to its maximum"),
     true, false, true},
    {"filters", QT_TRANSLATE_NOOP("Overlay", "Filters"),
     QT_TRANSLATE_NOOP(
         "Overlay",
         "The weights of this convolution, grey is 0: in colour for three channels, else a row for each filter"),
     true, false, true},
    {"grad-cam", QT_TRANSLATE_NOOP("Overlay", "Grad-CAM"),
     QT_TRANSLATE_NOOP("Overlay", "Bright: where this layer's maps raise the class's score"), true, true},
    {"grad-cam++", QT_TRANSLATE_NOOP("Overlay", "Grad-CAM++"),
     QT_TRANSLATE_NOOP("Overlay", "Like Grad-CAM, but also finds several objects of a class"), true, true},
    {"saliency", QT_TRANSLATE_NOOP("Overlay", "Saliency"),
     QT_TRANSLATE_NOOP("Overlay", "Bright: pixels where a small change affects the score most"), false, true},
    {"integrated-gradients", QT_TRANSLATE_NOOP("Overlay", "Integrated gradients"),
     QT_TRANSLATE_NOOP("Overlay", "Bright: contribution of each pixel to the score, integrated from a black image"),
     false, true},
    {"occlusion", QT_TRANSLATE_NOOP("Overlay", "Occlusion"),
     QT_TRANSLATE_NOOP("Overlay", "Bright: covering this region lowers the score"), false, true},
}};

/// Attributions are drawn in one ramp on both themes, readable with every colour vision.
QColor attribution(double v) {
  static const QColor stops[5] = {QColor(0x00, 0x22, 0x4E), QColor(0x3A, 0x4A, 0x6C), QColor(0x7B, 0x7B, 0x78),
                                  QColor(0xBD, 0xAF, 0x6E), QColor(0xFD, 0xE7, 0x37)};
  QColor c = Theme::ramp(stops, v);
  c.setAlphaF(static_cast<float>(0.18 + 0.62 * v));
  return c;
}

/// A size in the helper's response; 0: not a valid size of an image.
std::int64_t side_in(const Json& j) {
  const std::int64_t n = j.is_number_integer() ? j.get<std::int64_t>() : 0;
  return n >= 1 && n <= 4096 ? n : 0;
}

float number_at(const std::vector<std::uint8_t>& floats, std::size_t i) {
  float v = 0;
  std::memcpy(&v, floats.data() + i * sizeof(float), sizeof(float));
  return std::isfinite(v) ? v : 0;
}

QImage heatmap_of(const std::vector<float>& values, std::int64_t width) {
  const float most = std::max(*std::max_element(values.begin(), values.end()), 1e-30f);
  const auto row = static_cast<std::size_t>(width);
  QImage heat(static_cast<int>(width), static_cast<int>(values.size() / row), QImage::Format_Grayscale8);
  for (std::size_t i = 0; i < values.size(); ++i)
    heat.scanLine(static_cast<int>(i / row))[i % row] = static_cast<uchar>(std::lround(255 * values[i] / most));
  return heat;
}

/// The sizes of a shape of this rank; empty: the shape has another rank.
std::vector<std::int64_t> sides_in(const Json& shape, std::size_t rank) {
  std::vector<std::int64_t> sides;
  for (std::size_t i = 0; shape.is_array() && shape.size() >= rank && i < rank; ++i)
    sides.push_back(side_in(shape[shape.size() - rank + i]));
  return std::find(sides.begin(), sides.end(), 0) == sides.end() ? sides : std::vector<std::int64_t>();
}

constexpr int most_tiles = 256, most_of_either = 24, grid_side = 280;

/// Tiles side by side, separated by lines and enlarged by an integer factor up to about grid_side.
QImage grid_of(const std::vector<QImage>& tiles, int columns) {
  const int rows = (static_cast<int>(tiles.size()) + columns - 1) / columns, width = tiles.front().width(),
            height = tiles.front().height();
  const int scale = std::max(1, grid_side / std::max(columns * (width + 1), rows * (height + 1)));
  QImage out(columns * (width * scale + 1), rows * (height * scale + 1), QImage::Format_RGB32);
  out.fill(theme().sunken);
  QPainter p(&out);
  for (std::size_t i = 0; i < tiles.size(); ++i)
    p.drawImage(static_cast<int>(i) % columns * (width * scale + 1),
                static_cast<int>(i) / columns * (height * scale + 1), tiles[i].scaled(width * scale, height * scale));
  return out;
}

int columns_for(std::size_t tiles) { return static_cast<int>(std::ceil(std::sqrt(static_cast<double>(tiles)))); }

/// A tile of one or three planes of `floats`, which begin at these places; a value's place between low and high is its
/// brightness.
QImage tile_of(const std::vector<std::uint8_t>& floats, const std::array<std::size_t, 3>& planes, int width, int height,
               float low, float high) {
  QImage tile(width, height, QImage::Format_RGB32);
  const float span = std::max(high - low, 1e-30f);
  for (int i = 0; i < width * height; ++i) {
    std::array<int, 3> c{};
    for (std::size_t k = 0; k < 3; ++k)
      c[k] = std::clamp(static_cast<int>(std::lround(
                            255 * (number_at(floats, planes[k] + static_cast<std::size_t>(i)) - low) / span)),
                        0, 255);
    tile.setPixel(i % width, i / width, qRgb(c[0], c[1], c[2]));
  }
  return tile;
}

}  // namespace

QImage feature_maps(const Json& shape, const std::vector<std::uint8_t>& floats) {
  const std::vector<std::int64_t> s = sides_in(shape, 3);
  if (s.empty() || floats.size() / sizeof(float) != static_cast<std::size_t>(s[0] * s[1] * s[2])) return {};
  const auto places = static_cast<std::size_t>(s[1] * s[2]);
  std::vector<QImage> tiles;
  for (std::size_t c = 0; c < static_cast<std::size_t>(std::min<std::int64_t>(s[0], most_tiles)); ++c) {
    float low = number_at(floats, c * places), high = low;
    for (std::size_t i = 0; i < places; ++i) {
      low = std::min(low, number_at(floats, c * places + i));
      high = std::max(high, number_at(floats, c * places + i));
    }
    tiles.push_back(tile_of(floats, {c * places, c * places, c * places}, static_cast<int>(s[2]),
                            static_cast<int>(s[1]), low, high));
  }
  return grid_of(tiles, columns_for(tiles.size()));
}

QImage filter_images(const Json& shape, const std::vector<std::uint8_t>& floats) {
  const std::vector<std::int64_t> s = sides_in(shape, 4);
  if (s.empty() || shape.size() != 4 ||
      floats.size() / sizeof(float) != static_cast<std::size_t>(s[0] * s[1] * s[2] * s[3]))
    return {};
  const bool colour = s[1] == 3, single = colour || s[1] == 1;
  const auto places = static_cast<std::size_t>(s[2] * s[3]), inputs = static_cast<std::size_t>(s[1]);
  const auto filters = static_cast<std::size_t>(std::min<std::int64_t>(s[0], single ? most_tiles : most_of_either)),
             shown = single ? 1 : std::min<std::size_t>(inputs, most_of_either);
  std::vector<QImage> tiles;
  for (std::size_t o = 0; o < filters; ++o) {
    float most = 0;
    for (std::size_t i = 0; i < inputs * places; ++i)
      most = std::max(most, std::abs(number_at(floats, o * inputs * places + i)));
    for (std::size_t c = 0; c < shown; ++c) {
      const std::size_t at = (o * inputs + c) * places;
      tiles.push_back(tile_of(floats, {at, colour ? at + places : at, colour ? at + 2 * places : at},
                              static_cast<int>(s[3]), static_cast<int>(s[2]), -most, most));
    }
  }
  return grid_of(tiles, single ? columns_for(tiles.size()) : static_cast<int>(shown));
}

QString Overlay::shownTitle() const { return QCoreApplication::translate("Overlay", title); }
QString Overlay::shownHint() const { return QCoreApplication::translate("Overlay", hint); }

std::span<const Overlay> overlays() { return table; }

const Overlay& overlay_named(const QString& id) {
  const auto it = std::find_if(table.begin(), table.end(), [&](const Overlay& o) { return id == QLatin1String(o.id); });
  return it == table.end() ? table.front() : *it;
}

QImage mean_activation(const Json& shape, const std::vector<std::uint8_t>& floats) {
  if (!shape.is_array() || shape.size() < 3) return {};
  const std::size_t rank = shape.size();
  const std::int64_t channels = side_in(shape[rank - 3]), height = side_in(shape[rank - 2]),
                     width = side_in(shape[rank - 1]);
  if (channels < 1 || height < 1 || width < 1) return {};
  const std::size_t places = static_cast<std::size_t>(height * width);
  if (floats.size() / sizeof(float) != places * static_cast<std::size_t>(channels)) return {};
  std::vector<float> sum(places, 0);
  for (std::size_t i = 0; i < floats.size() / sizeof(float); ++i) sum[i % places] += std::abs(number_at(floats, i));
  return heatmap_of(sum, width);
}

QImage support_of(const Json& answer, const std::vector<std::uint8_t>& floats) {
  const std::int64_t height = side_in(answer.value("height", Json())), width = side_in(answer.value("width", Json()));
  if (height < 1 || width < 1 || floats.size() / sizeof(float) != static_cast<std::size_t>(height * width)) return {};
  std::vector<float> support;
  for (std::size_t i = 0; i < floats.size() / sizeof(float); ++i)
    support.push_back(std::max(0.0f, number_at(floats, i)));
  return heatmap_of(support, width);
}

QImage over_image(const QImage& image, const QImage& heat, int side, double opacity) {
  const QSize size = image.size().scaled(side, side, Qt::KeepAspectRatio).expandedTo(QSize(1, 1));
  QImage out = image.convertToFormat(QImage::Format_Grayscale8).scaled(size).convertToFormat(QImage::Format_RGB32);
  const QImage smooth =
      heat.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_Grayscale8);
  QImage colours(size, QImage::Format_ARGB32);
  std::array<QRgb, 256> table{};
  for (int v = 0; v < 256; ++v) table[static_cast<std::size_t>(v)] = attribution(v / 255.0).rgba();
  for (int y = 0; y < size.height(); ++y)
    for (int x = 0; x < size.width(); ++x)
      reinterpret_cast<QRgb*>(colours.scanLine(y))[x] = table[smooth.constScanLine(y)[x]];
  QPainter p(&out);
  p.setOpacity(opacity);
  p.drawImage(0, 0, colours);
  return out;
}

}  // namespace nw::ui
