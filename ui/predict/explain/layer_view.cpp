// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/explain/layer_view.hpp"

#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QtConcurrent>
#include <algorithm>

#include "engine/compile/compile.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/predict/images/image_view.hpp"
#include "ui/predict/source/chooser.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int rendered_side = 280;

QStringList read_layers(const QString& run) {
  const Result<RunDefinition> definition = read_run_definition(fs::path(run.toStdString()));
  return definition ? image_layers(*definition) : QStringList();
}

/// A chooser whose menu is filled when it opens.
ChooserButton* menu_button(const QString& label, LayerView* view, void (LayerView::*fill)()) {
  auto* button = new ChooserButton(label, view, false);
  button->setMenu(new QMenu(button));
  QObject::connect(button->menu(), &QMenu::aboutToShow, view, fill);
  return button;
}

}  // namespace

QStringList image_layers(const RunDefinition& run) {
  const Target target = target_without_data(run.doc, run.channels, run.height, run.width, run.classes.size());
  QStringList names;
  for (const ExpandedNode& node : analyse(run.doc, target).expanded) {
    const Shape& out = node.facts.output;
    const bool image = out.rank() == 4 && out[2] > 1 && out[3] > 1;
    if (image && !node.facts.inputs.empty()) names << QString::fromStdString(node.name);
  }
  return names;
}

LayerView::LayerView(PredictSource& source, QWidget* parent)
    : QWidget(parent),
      source_(source),
      overlay_(&overlays().front()),
      view_(new ImageView(tr("Attribution"), this)),
      chooser_(menu_button(tr("Shown"), this, &LayerView::fillOverlays)),
      layerChooser_(menu_button(tr("Layer"), this, &LayerView::fillLayers)),
      classChooser_(menu_button(tr("For"), this, &LayerView::fillClasses)),
      opacity_(new QSlider(Qt::Horizontal, this)),
      note_(makeLabel({}, 2, static_cast<int>(TextRole::small), this)) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(2);
  rows->addWidget(view_);
  for (ChooserButton* button : {chooser_, layerChooser_, classChooser_}) rows->addWidget(button, 0, Qt::AlignLeft);
  rows->addWidget(opacity_);
  rows->addWidget(note_);
  note_->setWordWrap(true);
  note_->hide();
  opacity_->setRange(0, 100);
  opacity_->setValue(100);
  opacity_->setAccessibleName(tr("Opacity"));
  opacity_->setToolTip(tr("Opacity of the colours over the image"));
  connect(opacity_, &QSlider::valueChanged, this, [this] { show(heat_); });
  connect(&source_, &PredictSource::opened, this, &LayerView::readLayers);
  connect(&watcher_, &QFutureWatcherBase::finished, this, [this] {
    reading_ = false;
    layers_ = watcher_.result().value_or(QStringList());
    // The explanations of pixels need no layer whose output is an image.
    if (layers_.isEmpty() && overlay_->of_layer) overlay_ = &overlay_named(QStringLiteral("saliency"));
    chooseLayer(layers_.contains(layer_) || layers_.isEmpty() ? (layers_.isEmpty() ? QString() : layer_)
                                                              : layers_.last());
  });
  setVisible(false);
}

void LayerView::readLayers() {
  if (source_.run() == run_) return;
  run_ = source_.run();
  reading_ = true;
  watcher_.setFuture(QtConcurrent::run(guarded(read_layers), run_));
}

void LayerView::fillOverlays() {
  chooser_->menu()->clear();
  for (const Overlay& o : overlays()) {
    if (o.of_layer && layers_.isEmpty()) continue;
    QAction* action = chooser_->menu()->addAction(o.shownTitle(), this, [this, &o] { choose(o); });
    action->setToolTip(o.shownHint());
  }
}

void LayerView::fillLayers() {
  layerChooser_->menu()->clear();
  for (const QString& layer : showsFilters() ? source_.network().filters : layers_)
    layerChooser_->menu()->addAction(layer, this, [this, layer] { chooseLayer(layer); });
}

void LayerView::fillClasses() {
  QMenu& menu = *classChooser_->menu();
  menu.clear();
  menu.addAction(tr("predicted class"), this, [this] { chooseClass(-1); });
  menu.addSeparator();
  const auto view = source_.view();
  for (int c = 0; view && c < view->outputs.size(); ++c) {
    QAction* action = menu.addAction(view->outputs[c], this, [this, c] { chooseClass(c); });
    if (c == label_) action->setText(tr("%1 (true class)").arg(view->outputs[c]));
  }
}

void LayerView::choose(const Overlay& overlay) {
  overlay_ = &overlay;
  refresh();
}

void LayerView::chooseLayer(const QString& layer) {
  layer_ = layer;
  refresh();
}

void LayerView::chooseClass(int target) {
  target_ = target;
  refresh();
}

void LayerView::refresh() {
  const QString moved = showsFilters() ? moveToFilters() : QString();
  if (!showsFilters()) leaveFilters();
  showChoices();
  ask();
  if (!moved.isEmpty()) tell(moved);
}

/// The next layer with filters, in the order of computation, takes the place of one without; without a next one, the
/// last. Returns the sentence that says so; empty: the layer has filters.
QString LayerView::moveToFilters() {
  const QStringList& all = source_.network().filters;
  if (all.isEmpty()) return tr("No layer of this network has filters.");
  if (layer_.isEmpty() || all.contains(layer_)) return {};
  const QString before = layer_;
  const auto next = std::find_if(layers_.begin() + layers_.indexOf(layer_) + 1, layers_.end(),
                                 [&](const QString& layer) { return all.contains(layer); });
  layer_ = next == layers_.end() ? all.last() : *next;
  return tr("%1 has no filters. Those of %2 are shown.").arg(before, layer_);
}

/// A convolution to a single pixel has filters, and no feature maps.
void LayerView::leaveFilters() {
  if (!layers_.isEmpty() && !layers_.contains(layer_)) layer_ = layers_.last();
}

void LayerView::showChoices() {
  const auto view = source_.view();
  chooser_->setValue(overlay_->shownTitle());
  layerChooser_->setValue(layer_);
  classChooser_->setValue(target_ < 0 || !view ? tr("predicted class") : view->outputs.value(target_));
  layerChooser_->setVisible(overlay_->of_layer);
  classChooser_->setVisible(overlay_->of_class);
  opacity_->setVisible(!overlay_->own_picture);
  view_->setToolTip(overlay_->shownHint());
  view_->setAccessibleDescription(overlay_->shownHint());
}

void LayerView::setSample(qint64 sample, const QImage& image, int label, const LayerOutput* output) {
  sample_ = sample;
  image_ = image;
  label_ = label;
  if (!output) return refresh();
  showChoices();
  if (begin()) showOutput(*output);
}

void LayerView::clear() {
  source_.helper().cancel(asked_);
  asked_ = 0;
  sample_ = -1;
  image_ = {};
  show({});
}

QString LayerView::layerOfSample() const {
  const bool of_sample = !overlay_->of_class && !showsFilters();
  const bool known = !reading_ && run_ == source_.run();  // otherwise the layer may belong to another network
  return of_sample && known && source_.files().isEmpty() ? layer_ : QString();
}

bool LayerView::showsFilters() const { return overlay_->id == std::string_view("filters"); }

qint64 LayerView::request(HelperClient::Answer answer) {
  HelperClient& helper = source_.helper();
  const std::string layer = layer_.toStdString(), split = source_.split().toStdString();
  if (overlay_->of_class)
    return helper.ask(this,
                      protocol::ExplainRequest{source_.weights(), split, overlay_->id, overlay_->of_layer ? layer : "",
                                               sample_, target_},
                      std::move(answer));
  if (showsFilters()) return helper.ask(this, protocol::FiltersRequest{source_.weights(), layer}, std::move(answer));
  return helper.ask(this, protocol::ActivationRequest{source_.weights(), split, layer, sample_}, std::move(answer));
}

bool LayerView::begin() {
  source_.helper().cancel(asked_);
  asked_ = 0;
  show({});
  tell({});
  setVisible((!layer_.isEmpty() || !overlay_->of_layer) && source_.files().isEmpty() && !image_.isNull());
  return !isHidden();
}

void LayerView::ask() {
  if (!begin() || (showsFilters() && source_.network().filters.isEmpty())) return;
  asked_ = request([this](const Result<Message>& answer) {
    asked_ = 0;
    if (!answer) return tell(translated(answer.error().what));
    if (overlay_->of_class) return show(support_of(answer->json, answer->payload));
    const Json shape = answer->json.value("shape", Json());
    if (showsFilters()) return showImage(filter_images(shape, answer->payload));
    showOutput({shape, answer->payload});
  });
}

void LayerView::showOutput(const LayerOutput& output) {
  if (overlay_->own_picture) return showImage(feature_maps(output.shape, output.values));
  show(mean_activation(output.shape, output.values));
}

void LayerView::tell(const QString& sentence) {
  note_->setText(sentence);
  note_->setVisible(!sentence.isEmpty());
}

void LayerView::showImage(const QImage& picture) {
  heat_ = picture;
  view_->setImage(picture);
}

void LayerView::show(const QImage& heat) {
  heat_ = heat;
  view_->setImage(heat.isNull() ? QImage() : over_image(image_, heat, rendered_side, opacity_->value() / 100.0));
}

}  // namespace nw::ui
