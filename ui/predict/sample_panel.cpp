// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/sample_panel.hpp"

#include <QBoxLayout>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "ui/predict/explain/layer_view.hpp"
#include "ui/predict/explain/neighbor_strip.hpp"
#include "ui/predict/images/image_view.hpp"
#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/source/output_rows.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int classes_shown = 5;
}

SamplePanel::SamplePanel(PredictSource& source, QWidget* parent)
    : QWidget(parent),
      source_(source),
      title_(makeLabel({}, 1, static_cast<int>(TextRole::title), this)),
      muted_(makeLabel({}, 2, static_cast<int>(TextRole::secondary), this)),
      facts_(makeLabel({}, 2, static_cast<int>(TextRole::secondary), this)),
      origin_(makeLabel({}, 2, static_cast<int>(TextRole::small), this)),
      note_(makeLabel({}, 2, static_cast<int>(TextRole::secondary), this)),
      previous_(makeIconButton(QStringLiteral("chevron-left"), tr("Previous image"), this)),
      next_(makeIconButton(QStringLiteral("chevron-right"), tr("Next image"), this)),
      exclude_(makeButton(tr("Exclude"), ButtonKind::neutral, QStringLiteral("eye-off"), this)),
      similar_(makeButton(tr("Similar training images"), ButtonKind::neutral, QStringLiteral("search"), this)),
      near_(new NeighborStrip(source, this)),
      input_(new ImageView(tr("Input"), this)),
      layer_(new LayerView(source, this)),
      bars_(new ClassBars(ClassBars::Form::tagged, this)) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  auto* head = new QHBoxLayout;
  head->addWidget(title_);
  head->addWidget(muted_);
  head->addStretch();
  head->addWidget(previous_);
  head->addWidget(next_);
  auto* left = new QVBoxLayout;
  left->setSpacing(2);
  left->addWidget(input_);
  facts_->setFixedHeight(28);
  left->addWidget(facts_);
  left->addStretch();
  auto* both = new QHBoxLayout;
  both->setSpacing(space::m);
  both->addLayout(left, 1);
  both->addWidget(layer_, 1);
  origin_->setWordWrap(true);
  note_->setWordWrap(true);
  rows->addLayout(head);
  rows->addLayout(both);
  rows->addWidget(origin_);
  rows->addWidget(bars_);
  rows->addWidget(note_);
  auto* actions = new QHBoxLayout;
  actions->addWidget(similar_);
  actions->addWidget(exclude_);
  actions->addStretch(1);
  rows->addLayout(actions);
  rows->addWidget(near_);
  near_->hide();
  similar_->setCheckable(true);
  connect(similar_, &QPushButton::toggled, near_, &QWidget::setVisible);
  connect(exclude_, &QPushButton::clicked, this, &SamplePanel::excludeRequested);
  connect(previous_, &QPushButton::clicked, this, [this] { Q_EMIT stepRequested(-1); });
  connect(next_, &QPushButton::clicked, this, [this] { Q_EMIT stepRequested(1); });
  setSample(nullptr);
}

bool SamplePanel::settled() const { return !has_ || !bars_->rows().empty(); }

void SamplePanel::setExclusion(bool allowed, bool excluded, const QString& why) {
  for (QPushButton* b : {exclude_, similar_}) b->setVisible(has_ && origin().isEmpty());
  exclude_->setEnabled(allowed);
  exclude_->setText(excluded ? tr("Include again") : tr("Exclude"));
  exclude_->setToolTip(why.isEmpty() ? tr("Exclude this image from training and evaluation from the next run on (X)")
                                     : why);
}

void SamplePanel::setNeighbors(bool previous, bool next) {
  previous_->setEnabled(previous);
  next_->setEnabled(next);
}

QString SamplePanel::origin() const {
  return source_.files().isEmpty() ? QString() : source_.files().value(static_cast<qsizetype>(sample_.index));
}

void SamplePanel::showFacts() {
  const auto view = source_.view();
  const QString path = origin();
  title_->setText(!has_            ? tr("No image chosen")
                  : path.isEmpty() ? tr("Image %1").arg(grouped(sample_.index))
                                   : QFileInfo(path).fileName());
  muted_->setText(!has_ ? QString() : path.isEmpty() ? name_of_split(source_.split()) : tr("own image"));
  origin_->setText(path);
  origin_->setVisible(!path.isEmpty());
  const bool known = has_ && sample_.label >= 0 && view && sample_.loss >= 0;
  facts_->setText(known ? tr("Input, loss %1").arg(sample_.loss, 0, 'g', 3) : has_ ? tr("Input") : QString());
}

const QImage& SamplePanel::image() const { return input_->image(); }

void SamplePanel::setSample(const Sample* sample) {
  ++turn_;
  has_ = sample != nullptr;
  if (has_) sample_ = *sample;
  note_->setVisible(!has_);
  note_->setText(tr("Choose an image on the left, or a cell of the matrix."));
  input_->setImage({});
  // Until the answer arrives, everything keeps its size: what stands below must not move under the pointer.
  if (has_)
    layer_->clear();
  else
    layer_->setSample(-1, {});
  bars_->setMinimumHeight(has_ ? bars_->sizeHint().height() : 0);
  bars_->setRows({});
  const int group = has_ && source_.network().kind() == TargetKind::classes ? sample_.label : -1;
  near_->setSample(has_ && source_.files().isEmpty() ? sample_.index : -1, group);
  showFacts();
  if (has_) ask();
}

/// Requests image, classes and the layer's output at once.
void SamplePanel::ask() {
  if (!source_.network().known()) return;
  const QString layer = layer_->layerOfSample();
  const auto done = [this, turn = turn_, layer](const Result<PredictSource::Look>& look) {
    if (turn != turn_) return;
    bars_->setMinimumHeight(0);
    if (look) return take(*look, layer);
    layer_->setSample(-1, {});
    note_->setText(translated(look.error().what));
    note_->show();
  };
  if (source_.files().isEmpty())
    source_.look(this, source_.split(), sample_.index, layer, done);
  else
    source_.lookAtFile(this, sample_.index, done);
}

void SamplePanel::take(const PredictSource::Look& look, const QString& layer) {
  input_->setImage(look.image);
  showClasses(look.probability);
  Q_EMIT shown();
  const int label = source_.network().kind() == TargetKind::classes ? sample_.label : -1;
  const LayerOutput output{look.shape, look.output};
  const bool current = !layer.isEmpty() && layer == layer_->layerOfSample();
  layer_->setSample(sample_.index, look.image, label, current ? &output : nullptr);
}

void SamplePanel::showClasses(const std::vector<float>& probability) {
  const auto view = source_.view();
  bars_->setRows(sampleRows(source_.network(), view.get(), sample_, probability, classes_shown));
}

}  // namespace nw::ui
