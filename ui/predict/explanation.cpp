// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/explanation.hpp"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr std::array<Overlay, 6> table{{
    {"activation", QT_TRANSLATE_NOOP("Overlay", "Activation"), QT_TRANSLATE_NOOP("Overlay", "Bright: large output of this layer, averaged over its channels"), true, false},
    {"grad-cam", QT_TRANSLATE_NOOP("Overlay", "Grad-CAM"), QT_TRANSLATE_NOOP("Overlay", "Bright: where this layer's maps raise the class's score"), true, true},
    {"grad-cam++", QT_TRANSLATE_NOOP("Overlay", "Grad-CAM++"), QT_TRANSLATE_NOOP("Overlay", "As Grad-CAM, and it finds a class that is there more than once"), true, true},
    {"saliency", QT_TRANSLATE_NOOP("Overlay", "Saliency"), QT_TRANSLATE_NOOP("Overlay", "Bright: pixels whose smallest change moves the score most"), false, true},
    {"integrated-gradients", QT_TRANSLATE_NOOP("Overlay", "Integrated gradients"), QT_TRANSLATE_NOOP("Overlay", "Bright: what each pixel adds to the score on the way from black"), false, true},
    {"occlusion", QT_TRANSLATE_NOOP("Overlay", "Occlusion"), QT_TRANSLATE_NOOP("Overlay", "Bright: covering this place lowers the score"), false, true},
}};

/// Attributions are drawn in one ramp on both themes, readable with every colour vision.
QColor attribution(double v) {
  static const QColor stops[5] = {QColor(0x00, 0x22, 0x4E), QColor(0x3A, 0x4A, 0x6C), QColor(0x7B, 0x7B, 0x78), QColor(0xBD, 0xAF, 0x6E), QColor(0xFD, 0xE7, 0x37)};
  QColor c = Theme::ramp(stops, v);
  c.setAlphaF(static_cast<float>(0.18 + 0.62 * v));
  return c;
}

/// A size as the helper tells it; 0: none that a picture could have.
std::int64_t side_in(const Json& j) {
  const std::int64_t n = j.is_number_integer() ? j.get<std::int64_t>() : 0;
  return n >= 1 && n <= 4096 ? n : 0;
}

float number_at(const std::vector<std::uint8_t>& floats, std::size_t i) {
  float v = 0;
  std::memcpy(&v, floats.data() + i * sizeof(float), sizeof(float));
  return std::isfinite(v) ? v : 0;
}

QImage heat_of(const std::vector<float>& values, std::int64_t width) {
  const float most = std::max(*std::max_element(values.begin(), values.end()), 1e-30f);
  const auto row = static_cast<std::size_t>(width);
  QImage heat(static_cast<int>(width), static_cast<int>(values.size() / row), QImage::Format_Grayscale8);
  for (std::size_t i = 0; i < values.size(); ++i) heat.scanLine(static_cast<int>(i / row))[i % row] = static_cast<uchar>(std::lround(255 * values[i] / most));
  return heat;
}

}  // namespace

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
  const std::int64_t channels = side_in(shape[rank - 3]), height = side_in(shape[rank - 2]), width = side_in(shape[rank - 1]);
  if (channels < 1 || height < 1 || width < 1) return {};
  const std::size_t places = static_cast<std::size_t>(height * width);
  if (floats.size() / sizeof(float) != places * static_cast<std::size_t>(channels)) return {};
  std::vector<float> sum(places, 0);
  for (std::size_t i = 0; i < floats.size() / sizeof(float); ++i) sum[i % places] += std::abs(number_at(floats, i));
  return heat_of(sum, width);
}

QImage support_of(const Json& answer, const std::vector<std::uint8_t>& floats) {
  const std::int64_t height = side_in(answer.value("height", Json())), width = side_in(answer.value("width", Json()));
  if (height < 1 || width < 1 || floats.size() / sizeof(float) != static_cast<std::size_t>(height * width)) return {};
  std::vector<float> support;
  for (std::size_t i = 0; i < floats.size() / sizeof(float); ++i) support.push_back(std::max(0.0f, number_at(floats, i)));
  return heat_of(support, width);
}

QImage over_image(const QImage& image, const QImage& heat, int side, double opacity) {
  QImage out = image.convertToFormat(QImage::Format_Grayscale8).scaled(side, side).convertToFormat(QImage::Format_RGB32);
  const QImage smooth = heat.scaled(side, side, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_Grayscale8);
  QImage colours(side, side, QImage::Format_ARGB32);
  std::array<QRgb, 256> table{};
  for (int v = 0; v < 256; ++v) table[static_cast<std::size_t>(v)] = attribution(v / 255.0).rgba();
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) reinterpret_cast<QRgb*>(colours.scanLine(y))[x] = table[smooth.constScanLine(y)[x]];
  QPainter p(&out);
  p.setOpacity(opacity);
  p.drawImage(0, 0, colours);
  return out;
}

}  // namespace nw::ui
