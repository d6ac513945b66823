// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/header_bar.hpp"

#include <QBoxLayout>
#include <QDirIterator>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QtConcurrent>

#include "engine/runs/events.hpp"
#include "ui/predict/network_export.hpp"
#include "ui/session/metric.hpp"
#include "ui/session/run_title.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int bar_height = 60, views_height = 44;
const QStringList image_patterns = {QStringLiteral("*.png"), QStringLiteral("*.jpg"),  QStringLiteral("*.jpeg"),
                                    QStringLiteral("*.gif"), QStringLiteral("*.ppm"),  QStringLiteral("*.pgm"),
                                    QStringLiteral("*.bmp"), QStringLiteral("*.webp"), QStringLiteral("*.tif"),
                                    QStringLiteral("*.tiff")};
}  // namespace

QStringList image_files(const QString& folder, int limit) {
  QStringList files;
  const auto take = [&](const QString& where) {
    for (const QString& name : QDir(where).entryList(image_patterns, QDir::Files, QDir::Name))
      if (files.size() < limit) files << where + QLatin1Char('/') + name;
  };
  take(folder);
  for (const QString& name : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name))
    take(folder + QLatin1Char('/') + name);
  return files;
}

PredictHeader::PredictHeader(PredictSource& source, WeightsList& weights, QWidget* parent)
    : QWidget(parent),
      source_(source),
      weights_(weights),
      weightsButton_(new ChooserButton(tr("Weights"), this)),
      imagesButton_(new ChooserButton(tr("Images"), this)),
      weightsMenu_(new QMenu(weightsButton_)),
      imagesMenu_(new QMenu(imagesButton_)),
      figures_(new QWidget(this)),
      progress_(new QProgressBar(this)),
      progressText_(makeLabel({}, 2, static_cast<int>(TextRole::secondary), this)),
      views_(new SegmentedControl(this)),
      export_(makeButton(tr("Export"), ButtonKind::neutral, QStringLiteral("download"), this)),
      foreign_(new SeverityLabel(SeverityLabel::Tone::warn, this)) {
  auto* both = new QVBoxLayout(this);
  both->setContentsMargins(0, 0, 0, 0);
  both->setSpacing(0);
  auto* bar = new QWidget(this);
  bar->setFixedHeight(bar_height);
  both->addWidget(bar);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(space::l, 0, space::l, 0);
  row->setSpacing(space::s);
  row->addWidget(weightsButton_);
  row->addWidget(imagesButton_);
  row->addSpacing(space::l);
  auto* figures = new QHBoxLayout(figures_);
  figures->setContentsMargins(0, 0, 0, 0);
  figures->setSpacing(space::xxl);
  addFigure(QStringLiteral("accuracy"), tr("Accuracy"));
  addFigure(QStringLiteral("wrong"), tr("Misclassified"));
  addFigure(QStringLiteral("unsure"), tr("Confidence under 60 %"));
  addFigure(QStringLiteral("loss"), tr("Loss"));
  addFigure(QStringLiteral("time"), tr("Time"));
  row->addWidget(figures_);
  progress_->setFixedSize(180, 4);
  progress_->setTextVisible(false);
  progress_->setRange(0, 1000);
  progress_->setAccessibleName(tr("Progress of the evaluation"));
  row->addWidget(progressText_);
  row->addWidget(progress_);
  row->addStretch();
  for (const QString& view : {tr("Images"), tr("Metrics"), tr("Label issues"), tr("Playground"), tr("Map")})
    views_->addSegment(view);
  row->addWidget(export_);
  foreign_->setObjectName(QStringLiteral("foreignRun"));
  foreign_->setContentsMargins(space::l, 0, space::l, space::s);
  both->addWidget(foreign_);
  auto* below = new QHBoxLayout;
  below->setContentsMargins(space::l, 0, space::l, space::s);
  below->addWidget(views_);
  below->addStretch();
  both->addLayout(below);
  fillExportMenu();

  weightsButton_->setMenu(weightsMenu_);
  imagesButton_->setMenu(imagesMenu_);
  connect(weightsMenu_, &QMenu::aboutToShow, this,
          [this] { weights_.fill(*weightsMenu_, source_.run(), source_.checkpoint()); });
  connect(imagesMenu_, &QMenu::aboutToShow, this, &PredictHeader::fillImagesMenu);
  connect(&weights_, &WeightsList::chosen, &source_, &PredictSource::setWeights);
  connect(&weights_, &WeightsList::refreshed, this, &PredictHeader::refresh);
  connect(&source_, &PredictSource::opened, this, &PredictHeader::refresh);
  connect(&source_, &PredictSource::evaluated, this, &PredictHeader::refresh);
  connect(&source_, &PredictSource::failed, this, &PredictHeader::refresh);
  connect(&source_, &PredictSource::progressed, this, &PredictHeader::progress);
  connect(views_, &SegmentedControl::currentChanged, this, &PredictHeader::viewChosen);
  refresh();
}

void PredictHeader::fillExportMenu() {
  auto* menu = new QMenu(export_);
  menu->setObjectName(QStringLiteral("exportMenu"));
  const std::pair<QString, QString> rows[] = {{QStringLiteral("report"), tr("Report with curves and images (HTML)…")},
                                              {QStringLiteral("metrics"), tr("Metrics per class (CSV)…")},
                                              {QStringLiteral("predictions"), tr("All predictions (CSV)…")}};
  const auto add = [&](const QString& what, const QString& text) {
    exports_[what] = menu->addAction(text, this, [this, what] { Q_EMIT exportRequested(what); });
  };
  for (const auto& [what, text] : rows) add(what, text);
  menu->addSeparator();
  for (const NetworkFormat& format : networkFormats()) add(QLatin1String(format.id), titleOf(format));
  export_->setMenu(menu);
}

void PredictHeader::addFigure(const QString& name, const QString& label) {
  auto* place = new QWidget;
  auto* column = new QVBoxLayout(place);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addStretch();
  column->addWidget(captions_[name] = makeLabel(label, 2, static_cast<int>(TextRole::secondary)));
  QLabel* value = makeLabel({}, 1, static_cast<int>(TextRole::figure));
  value->setAccessibleName(label);
  column->addWidget(value);
  column->addStretch();
  values_.insert(name, value);
  order_ << name;
  figures_->layout()->addWidget(place);
  places_.push_back(place);
}

/// Hides the last figures where there is no room for all; the tool tip of the others names them.
void PredictHeader::fitFigures() {
  const int taken =
      weightsButton_->sizeHint().width() + imagesButton_->sizeHint().width() + export_->sizeHint().width();
  int room = width() - taken - 5 * space::l - 2 * space::xxl;
  QStringList all;
  for (const QString& name : order_)
    all << QStringLiteral("%1: %2").arg(captions_[name]->text(), values_[name]->text());
  figures_->setToolTip(all.join(u'\n'));
  for (QWidget* place : places_) {
    room -= place->sizeHint().width() + space::xxl;
    place->setVisible(room + space::xxl >= 0);
  }
}

void PredictHeader::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitFigures();
  fitHeight();
}

void PredictHeader::setOpenProject(const QString& name) {
  openProject_ = name;
  refreshProject();
}

/// A run's name is made from its project's name, so that names alone decide.
void PredictHeader::refreshProject() {
  const QString project = weights_.project(source_.run());
  const bool foreign = !project.isEmpty() && !openProject_.isEmpty() && runNameOf(project) != runNameOf(openProject_);
  foreign_->say(foreign ? tr("These predictions are of a run of %1. The open project is %2.").arg(project, openProject_)
                        : QString());
  fitHeight();
}

void PredictHeader::fitHeight() {
  const int line = foreign_->isHidden() ? 0 : foreign_->heightForWidth(width());
  setFixedHeight(bar_height + line + (views_->isHidden() ? 0 : views_height));
}

QString PredictHeader::figure(const QString& name) const {
  return values_.contains(name) ? values_[name]->text() : QString();
}

void PredictHeader::refresh() {
  const auto view = source_.view();
  const QString none = QStringLiteral("–");
  weightsButton_->setValue(source_.run().isEmpty()
                               ? tr("none")
                               : weights_.describe(source_.run(), source_.checkpoint(), source_.network().step));
  const QString images = source_.files().isEmpty() ? name_of_split(source_.split()) : tr("own images");
  imagesButton_->setValue(view ? tr("%1, %2").arg(images, grouped(static_cast<qint64>(view->samples.size()))) : images);
  const bool known = view && view->measured();
  const Metric metric = metric_of(view ? view->kind : TargetKind::classes);
  captions_["accuracy"]->setText(metricTitle(metric));
  values_["accuracy"]->setText(known ? metricText(metric, view->accuracy) : none);
  values_["accuracy"]->setAccessibleName(metricTitle(metric));
  values_["wrong"]->setText(known && view->kind != TargetKind::values ? grouped(view->wrong()) : none);
  values_["unsure"]->setText(view && view->kind != TargetKind::values ? grouped(view->unsure()) : none);
  values_["loss"]->setText(known && view->loss >= 0 ? QString::number(view->loss, 'g', 3) : none);
  values_["loss"]->setToolTip(
      known && view->smoothing > 0
          ? tr("With the label smoothing of the training, %1. Cross-entropy without it: %2")
                .arg(QString::number(view->smoothing), QString::number(view->crossEntropy, 'g', 3))
          : QString());
  values_["time"]->setText(view ? tr("%1 s on CPU").arg(source_.seconds(), 0, 'f', 2) : none);
  fitFigures();
  figures_->setVisible(view != nullptr);
  progress_->setVisible(!view && source_.busy());
  progressText_->setVisible(!view && source_.busy());
  progress_->setValue(0);
  progressText_->setText(source_.network().known() ? tr("Predicting") : tr("Loading the weights"));
  export_->setEnabled(view != nullptr);
  views_->setVisible(view != nullptr);
  refreshProject();
  exports_[QStringLiteral("report")]->setEnabled(source_.files().isEmpty());
  exports_[QStringLiteral("metrics")]->setEnabled(source_.files().isEmpty() && view &&
                                                  (!view->metrics.classes.empty() || !view->numbers.empty()));
}

void PredictHeader::progress(double fraction) {
  progress_->setValue(static_cast<int>(fraction * 1000));
  progressText_->setText(tr("Predicting, %1").arg(percentText(fraction, 0)));
}

void PredictHeader::fillImagesMenu() {
  imagesMenu_->clear();
  for (const char* split : {"test", "validation", "train"}) {
    QAction* action = imagesMenu_->addAction(name_of_split(QLatin1String(split)), this,
                                             [this, split] { source_.setSplit(QLatin1String(split)); });
    action->setCheckable(true);
    action->setChecked(source_.files().isEmpty() && source_.split() == QLatin1String(split));
  }
  imagesMenu_->addSeparator();
  imagesMenu_->addAction(tr("Folder of images…"), this, &PredictHeader::chooseFolder);
  imagesMenu_->addAction(tr("Image files…"), this, &PredictHeader::chooseFiles);
}

void PredictHeader::chooseFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of images"));
  if (!folder.isEmpty()) Q_EMIT filesRequested({folder});
}

void PredictHeader::chooseFiles() {
  const QStringList files = QFileDialog::getOpenFileNames(this, tr("Image files"), {},
                                                          tr("Images (%1)").arg(image_patterns.join(QLatin1Char(' '))));
  if (!files.isEmpty()) Q_EMIT filesRequested(files.mid(0, most_files));
}

void PredictHeader::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.fillRect(rect(), t.window);
  p.setPen(t.border1);
  p.drawLine(0, height() - 1, width(), height() - 1);
  const int x = imagesButton_->geometry().right() + space::l;
  if (figures_->isVisible()) p.drawLine(x, 14, x, bar_height - 15);
}

}  // namespace nw::ui
