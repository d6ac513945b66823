// SPDX-License-Identifier: GPL-3.0-or-later
// Where a layer reacts: the mean size of its output over the channels, laid over the image.
#pragma once
#include <QFutureWatcher>
#include <QImage>
#include <QStringList>
#include <QWidget>

#include "engine/runs/run_folder.hpp"
#include "ui/predict/predict_source.hpp"

namespace nw::ui {

class ChooserButton;
class ImageView;

/// Names of the layers whose output is still an image, in the order of computation; the network's input is left out.
QStringList image_layers(const RunDefinition& run);
/// Mean absolute value over the channels of (C,H,W) floats, scaled so that the largest is 1; one byte per place. Null: not an image.
QImage mean_activation(const Json& shape, const std::vector<std::uint8_t>& floats);
/// `heat` (grey) over `image` in the colours of attributions, as large as `side` pixels.
QImage over_image(const QImage& image, const QImage& heat, int side);

class LayerView : public QWidget {
  Q_OBJECT
 public:
  explicit LayerView(PredictSource& source, QWidget* parent = nullptr);
  /// The image of a sample of the split; a null image takes the view back.
  void setSample(qint64 sample, const QImage& image);
  QString layer() const { return layer_; }

 private:
  void readLayers();
  void fillMenu();
  void choose(const QString& layer);
  void ask();

  PredictSource& source_;
  QFutureWatcher<QStringList> watcher_;
  QString run_, layer_;
  QStringList layers_;
  ImageView* view_;
  ChooserButton* chooser_;
  qint64 sample_ = -1, asked_ = 0;
  QImage image_;
};

}  // namespace nw::ui
