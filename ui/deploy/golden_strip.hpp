// SPDX-License-Identifier: GPL-3.0-or-later
// The golden samples of a bundle: pictures with the class and probability that it promises for them. GUI thread.
#pragma once
#include <QImage>
#include <QVector>
#include <QWidget>

#include "engine/core/files.hpp"
#include "kernels/result.hpp"

namespace nw::ui {

struct GoldenSample {
  QImage image;
  int best = 0;       // output with the highest score
  double share = -1;  // its softmax, 0…1; < 0: of a single output
};
/// At most `most` of golden.safetensors in the bundle. Reads a file: not for the GUI thread.
Result<QVector<GoldenSample>> goldenSamples(const fs::path& bundle, int most);

class GoldenStrip : public QWidget {
  Q_OBJECT
 public:
  explicit GoldenStrip(QWidget* parent = nullptr);
  void setSamples(QVector<GoldenSample> samples);
  int count() const { return static_cast<int>(samples_.size()); }
  QSize sizeHint() const override { return {300, 66}; }
  QSize minimumSizeHint() const override { return {200, 66}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QVector<GoldenSample> samples_;
};

}  // namespace nw::ui
