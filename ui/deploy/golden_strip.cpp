// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/golden_strip.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/exchange/proof.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {
namespace {

constexpr int side = 40, between = 6;
constexpr std::int64_t largest_side = 4096;
constexpr std::uintmax_t largest_golden = 64 << 20;

/// Planes of numbers from 0 to 255 as a picture; grey for other than three channels.
QImage pictureOf(const float* planes, std::int64_t channels, int height, int width) {
  QImage image(width, height, QImage::Format_RGB32);
  const std::int64_t area = std::int64_t{height} * width;
  const auto level = [](float v) { return std::isfinite(v) ? static_cast<int>(std::clamp(v, 0.0F, 255.0F)) : 0; };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::int64_t at = std::int64_t{y} * width + x;
      const int r = level(planes[at]);
      image.setPixel(x, y,
                     channels == 3 ? qRgb(r, level(planes[area + at]), level(planes[2 * area + at])) : qRgb(r, r, r));
    }
  return image;
}

void readScores(std::span<const float> scores, GoldenSample& to) {
  if (scores.size() < 2) return;
  const auto best = std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (const float s : scores) sum += std::exp(static_cast<double>(s) - static_cast<double>(*best));
  to.best = static_cast<int>(best - scores.begin());
  to.share = std::isfinite(sum) && sum > 0 ? 1 / sum : -1;
}

}  // namespace

Result<QVector<GoldenSample>> goldenSamples(const fs::path& bundle, int most) {
  const fs::path file = bundle / "golden.safetensors";
  std::error_code error;
  QVector<GoldenSample> all;
  if (fs::symlink_status(file, error).type() != fs::file_type::regular || fs::file_size(file, error) > largest_golden)
    return all;
  NW_ASSIGN(const exchange::ProofSamples samples, exchange::load_samples(file));
  const auto [count, channels, height, width] =
      std::tuple(samples.dims[0], samples.dims[1], samples.dims[2], samples.dims[3]);
  if (count < 1 || channels < 1 || height < 1 || width < 1 || std::max(height, width) > largest_side) return all;
  const auto each = static_cast<std::size_t>(channels * height * width),
             outputs = static_cast<std::size_t>(samples.outputs);
  for (std::size_t i = 0; i < static_cast<std::size_t>(std::min<std::int64_t>(count, most)); ++i) {
    GoldenSample one{.image = pictureOf(samples.inputs.data() + i * each, channels, static_cast<int>(height),
                                        static_cast<int>(width))};
    readScores(std::span(samples.scores).subspan(i * outputs, outputs), one);
    all.push_back(std::move(one));
  }
  return all;
}

GoldenStrip::GoldenStrip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Golden samples"));
}

void GoldenStrip::setSamples(QVector<GoldenSample> samples) {
  samples_ = std::move(samples);
  QStringList all;
  for (const GoldenSample& s : samples_) all << tr("class %1, %2").arg(s.best).arg(percentText(std::max(0.0, s.share)));
  setAccessibleDescription(all.join(QStringLiteral("; ")));
  update();
}

void GoldenStrip::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setFont(ui::font(TextRole::small));
  int x = 0;
  for (const GoldenSample& s : samples_) {
    if (x + side > width()) break;
    paintThumbnail(p, s.image, QRectF(x, 0, side, side), radius::mark + 1);
    p.setPen(t.text2);
    const QString words = s.share < 0 ? QString() : QStringLiteral("%1 %2").arg(s.best).arg(s.share * 100, 0, 'f', 0);
    p.drawText(QRectF(x - between / 2.0, side + 3, side + between, 18), Qt::AlignHCenter | Qt::AlignTop, words);
    x += side + between;
  }
}

}  // namespace nw::ui
