// SPDX-License-Identifier: GPL-3.0-or-later
// A layer's activation or the attribution of a class, drawn over the chosen image.
#pragma once
#include <QFutureWatcher>
#include <QImage>
#include <QStringList>
#include <QWidget>

#include "engine/runs/run_folder.hpp"
#include "ui/predict/explain/explanation.hpp"
#include "ui/predict/source/predict_source.hpp"
#include "ui/session/guarded.hpp"

class QLabel;
class QSlider;

namespace nw::ui {

class ChooserButton;
class ImageView;

/// Names of the layers whose output is still an image, in the order of computation; the network's input is left out.
QStringList image_layers(const RunDefinition& run);

/// A layer's output for a sample, in the helper process's format.
struct LayerOutput {
  Json shape;
  std::vector<std::uint8_t> values;  // f32
};

class LayerView : public QWidget {
  Q_OBJECT
 public:
  explicit LayerView(PredictSource& source, QWidget* parent = nullptr);
  /// The layer whose output for a sample is shown; empty: none, so that setSample() needs no `output`.
  QString layerOfSample() const;
  /// The image of a sample of the split; a null image hides the view. `label` < 0: the true class is unknown. `output`:
  /// of layerOfSample(); if missing, it is requested from the helper process.
  void setSample(qint64 sample, const QImage& image, int label = -1, const LayerOutput* output = nullptr);
  /// No image, until setSample(); the view keeps its size.
  void clear();
  QString layer() const { return layer_; }
  const Overlay& overlay() const { return *overlay_; }
  /// The current overlay of the image; null while it is being computed.
  const QImage& heat() const { return heat_; }
  void choose(const Overlay&);
  void chooseLayer(const QString& layer);
  /// -1: the predicted class.
  void chooseClass(int target);

 private:
  void readLayers();
  void fillOverlays();
  void fillLayers();
  void fillClasses();
  void refresh();
  void ask();
  bool begin();
  void showChoices();
  void showOutput(const LayerOutput& output);
  bool showsFilters() const;
  QString moveToFilters();
  void leaveFilters();
  void show(const QImage& heat);
  void showImage(const QImage& picture);
  void tell(const QString& sentence);
  qint64 request(HelperClient::Answer answer);

  PredictSource& source_;
  QFutureWatcher<Guarded<QStringList>> watcher_;
  QString run_, layer_;
  QStringList layers_;
  const Overlay* overlay_;
  ImageView* view_;
  ChooserButton *chooser_, *layerChooser_, *classChooser_;
  QSlider* opacity_;
  QLabel* note_;
  qint64 sample_ = -1, asked_ = 0;
  int label_ = -1, target_ = -1;
  bool reading_ = false;  // the names of the network's layers
  QImage image_, heat_;
};

}  // namespace nw::ui
