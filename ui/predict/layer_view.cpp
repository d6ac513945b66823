// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/layer_view.hpp"

#include <QBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QtConcurrent>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "engine/compile/compile.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/predict/chooser.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int rendered_side = 280;

QStringList read_layers(const QString& run) {
  const Result<RunDefinition> definition = read_run_definition(fs::path(run.toStdString()));
  return definition ? image_layers(*definition) : QStringList();
}

/// Attributions are drawn in one ramp on both themes, readable with every colour vision.
QColor attribution(double v) {
  static const QColor stops[5] = {QColor(0x00, 0x22, 0x4E), QColor(0x3A, 0x4A, 0x6C), QColor(0x7B, 0x7B, 0x78), QColor(0xBD, 0xAF, 0x6E), QColor(0xFD, 0xE7, 0x37)};
  QColor c = Theme::ramp(stops, v);
  c.setAlphaF(static_cast<float>(0.18 + 0.62 * v));
  return c;
}

}  // namespace

QStringList image_layers(const RunDefinition& run) {
  Target target;
  target.data = {run.channels, run.height, run.width, static_cast<std::int64_t>(run.classes.size()), 1, 1, 1};
  QStringList names;
  for (const ExpandedNode& node : analyse(run.doc, target).expanded) {
    const Shape& out = node.facts.output;
    const bool image = out.rank() == 4 && out[2] > 1 && out[3] > 1;
    if (image && !node.facts.inputs.empty()) names << QString::fromStdString(node.name);
  }
  return names;
}

QImage mean_activation(const Json& shape, const std::vector<std::uint8_t>& floats) {
  if (!shape.is_array() || shape.size() < 3) return {};
  const std::size_t rank = shape.size();
  std::array<std::int64_t, 3> size{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!shape[rank - 3 + i].is_number_integer()) return {};
    size[i] = shape[rank - 3 + i].get<std::int64_t>();
  }
  const auto [channels, height, width] = size;
  if (channels < 1 || height < 1 || width < 1 || height > 4096 || width > 4096) return {};
  const std::size_t places = static_cast<std::size_t>(height * width);
  if (floats.size() / sizeof(float) != places * static_cast<std::size_t>(channels)) return {};
  std::vector<float> sum(places, 0);
  for (std::size_t i = 0; i < floats.size() / sizeof(float); ++i) {
    float v = 0;
    std::memcpy(&v, floats.data() + i * sizeof(float), sizeof(float));
    sum[i % places] += std::isfinite(v) ? std::abs(v) : 0;
  }
  const float most = std::max(*std::max_element(sum.begin(), sum.end()), 1e-30f);
  QImage heat(static_cast<int>(width), static_cast<int>(height), QImage::Format_Grayscale8);
  for (std::size_t i = 0; i < places; ++i)
    heat.scanLine(static_cast<int>(i / static_cast<std::size_t>(width)))[i % static_cast<std::size_t>(width)] = static_cast<uchar>(std::lround(255 * sum[i] / most));
  return heat;
}

QImage over_image(const QImage& image, const QImage& heat, int side) {
  QImage out = image.convertToFormat(QImage::Format_Grayscale8).scaled(side, side).convertToFormat(QImage::Format_RGB32);
  const QImage smooth = heat.scaled(side, side, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_Grayscale8);
  QImage colours(side, side, QImage::Format_ARGB32);
  std::array<QRgb, 256> table{};
  for (int v = 0; v < 256; ++v) table[static_cast<std::size_t>(v)] = attribution(v / 255.0).rgba();
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) reinterpret_cast<QRgb*>(colours.scanLine(y))[x] = table[smooth.constScanLine(y)[x]];
  QPainter(&out).drawImage(0, 0, colours);
  return out;
}

LayerView::LayerView(PredictSource& source, QWidget* parent)
    : QWidget(parent), source_(source), view_(new ImageView(tr("Where the layer reacts"), this)), chooser_(new ChooserButton(tr("Layer"), this, false)) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(2);
  rows->addWidget(view_);
  rows->addWidget(chooser_, 0, Qt::AlignLeft);
  view_->setToolTip(tr("Bright: large output of this layer, averaged over its channels"));
  chooser_->setMenu(new QMenu(chooser_));
  connect(chooser_->menu(), &QMenu::aboutToShow, this, &LayerView::fillMenu);
  connect(&source_, &PredictSource::opened, this, &LayerView::readLayers);
  connect(&watcher_, &QFutureWatcherBase::finished, this, [this] {
    layers_ = watcher_.result();
    choose(layers_.contains(layer_) || layers_.isEmpty() ? (layers_.isEmpty() ? QString() : layer_) : layers_.last());
  });
  setVisible(false);
}

void LayerView::readLayers() {
  if (source_.run() == run_) return;
  run_ = source_.run();
  watcher_.setFuture(QtConcurrent::run(read_layers, run_));
}

void LayerView::fillMenu() {
  chooser_->menu()->clear();
  for (const QString& layer : layers_) chooser_->menu()->addAction(layer, this, [this, layer] { choose(layer); });
}

void LayerView::choose(const QString& layer) {
  layer_ = layer;
  chooser_->setValue(tr("activation, %1").arg(layer));
  ask();
}

void LayerView::setSample(qint64 sample, const QImage& image) {
  sample_ = sample;
  image_ = image;
  view_->setImage({});
  ask();
}

void LayerView::ask() {
  source_.helper().cancel(asked_);
  asked_ = 0;
  setVisible(!layer_.isEmpty() && source_.files().isEmpty() && !image_.isNull());
  if (isHidden()) return;
  Json request{{"do", "activation"}, {"run", source_.run().toStdString()}, {"checkpoint", source_.checkpoint().toStdString()}, {"split", source_.split().toStdString()},
               {"sample", sample_}, {"node", layer_.toStdString()}};
  asked_ = source_.helper().ask(this, std::move(request), [this](const Result<Message>& answer) {
    asked_ = 0;
    const auto shape = answer ? answer->json.find("shape") : Json::const_iterator();
    if (!answer || shape == answer->json.end()) return setVisible(false);
    const QImage heat = mean_activation(*shape, answer->payload);
    if (!heat.isNull()) view_->setImage(over_image(image_, heat, rendered_side));
  });
}

}  // namespace nw::ui
