// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/metrics/metrics_view.hpp"

#include <QBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_table.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

struct MetricChartsTexts {
  Q_DECLARE_TR_FUNCTIONS(MetricCharts)
};

// Where the table and the curves have less than this together, the table stands above the curves.
constexpr int classes_beside = 1120, classes_height = 300, charts_height = 560;

QString shareText(double v) { return QString::number(v, 'f', 1); }

QString figure(double v) { return std::isnan(v) ? QStringLiteral("–") : QString::number(v, 'f', 4); }

QVector<double> percents(const std::vector<double>& shares) {
  QVector<double> out;
  for (const double v : shares) out << 100 * v;
  return out;
}

void fillRoc(MetricChart& chart, const MetricsShown& s) {
  chart.setCurve(0, {0, 100}, {0, 100});
  chart.setCurve(1, percents(s.curves.roc.x), percents(s.curves.roc.y));
  const auto one = static_cast<std::size_t>(s.curves.one);
  chart.setHeadline(one < s.metrics.classes.size()
                        ? MetricChartsTexts::tr("AUC %1").arg(figure(s.metrics.classes[one].roc_auc))
                        : QString());
}

void fillPrecisionRecall(MetricChart& chart, const MetricsShown& s) {
  chart.setCurve(0, percents(s.curves.precision_recall.x), percents(s.curves.precision_recall.y));
  const auto one = static_cast<std::size_t>(s.curves.one);
  chart.setHeadline(one < s.metrics.classes.size()
                        ? MetricChartsTexts::tr("average %1").arg(figure(s.metrics.classes[one].average_precision))
                        : QString());
}

void fillCalibration(MetricChart& chart, const MetricsShown& s) {
  QVector<double> confidence, accuracy, images;
  double all = 0;
  for (const CalibrationBin& b : s.metrics.calibration.bins) all += static_cast<double>(b.count);
  for (const CalibrationBin& b : s.metrics.calibration.bins) {
    if (b.count == 0) continue;
    confidence << 100 * b.confidence;
    accuracy << 100 * b.accuracy;
    images << 100 * static_cast<double>(b.count) / all;
  }
  chart.setCurve(0, {0, 100}, {0, 100});
  chart.setCurve(1, confidence, images);
  chart.setCurve(2, confidence, accuracy);
  chart.setHeadline(MetricChartsTexts::tr("ECE %1").arg(s.metrics.calibration.expected_error, 0, 'f', 4));
}

void fillThreshold(MetricChart& chart, const MetricsShown& s) {
  QVector<double> at, precision, recall, f1;
  for (const Decisions& d : s.curves.decisions) {
    at << 100 * d.threshold;
    precision << 100 * precision_of(d);
    recall << 100 * recall_of(d);
    f1 << 100 * f1_of(d);
  }
  chart.setCurve(0, at, precision);
  chart.setCurve(1, at, recall);
  chart.setCurve(2, at, f1);
  chart.setMarks({{static_cast<double>(s.threshold), MetricChartsTexts::tr("%1 %").arg(s.threshold)}});
}

CurveStyle curve(const QString& name, int series, CurveKind kind = CurveKind::line) {
  return {name, series, kind, true, false, true};
}

const ChartRow<MetricsShown> chart_rows[] = {
    {"roc",
     QT_TRANSLATE_NOOP("MetricCharts", "ROC"),
     "%",
     QT_TRANSLATE_NOOP("MetricCharts", "False positives, %"),
     0,
     0,
     true,
     false,
     {},
     100,
     -1,
     shareText,
     fillRoc,
     [] {
       return std::vector<CurveStyle>{curve(MetricChartsTexts::tr("chance"), 0, CurveKind::future),
                                      curve(MetricChartsTexts::tr("true positives"), 0)};
     }},
    {"precision_recall",
     QT_TRANSLATE_NOOP("MetricCharts", "Precision and recall"),
     "%",
     QT_TRANSLATE_NOOP("MetricCharts", "Recall, %"),
     0,
     1,
     true,
     false,
     {},
     100,
     -1,
     shareText,
     fillPrecisionRecall,
     [] { return std::vector<CurveStyle>{curve(MetricChartsTexts::tr("precision"), 1)}; }},
    {"calibration",
     QT_TRANSLATE_NOOP("MetricCharts", "Calibration"),
     "%",
     QT_TRANSLATE_NOOP("MetricCharts", "Confidence, %"),
     1,
     0,
     true,
     false,
     {},
     100,
     -1,
     shareText,
     fillCalibration,
     [] {
       return std::vector<CurveStyle>{curve(MetricChartsTexts::tr("perfect"), 0, CurveKind::future),
                                      curve(MetricChartsTexts::tr("fraction of images"), 3, CurveKind::area),
                                      curve(MetricChartsTexts::tr("accuracy"), 0, CurveKind::validation)};
     }},
    {"threshold",
     QT_TRANSLATE_NOOP("MetricCharts", "Threshold"),
     "%",
     QT_TRANSLATE_NOOP("MetricCharts", "Threshold, %"),
     1,
     1,
     true,
     false,
     {},
     100,
     -1,
     shareText,
     fillThreshold,
     [] {
       return std::vector<CurveStyle>{curve(MetricChartsTexts::tr("precision"), 1),
                                      curve(MetricChartsTexts::tr("recall"), 2), curve(MetricChartsTexts::tr("F1"), 0)};
     }},
};

}  // namespace

MetricsView::MetricsView(PredictSource& source, QWidget* parent)
    : QWidget(parent),
      source_(source),
      note_(new SeverityLabel(SeverityLabel::Tone::quiet, this)),
      top_(makeLabel({}, 2, static_cast<int>(TextRole::secondary))),
      chosen_(makeLabel({}, 1, static_cast<int>(TextRole::title))),
      sentence_(makeLabel({}, 2, static_cast<int>(TextRole::secondary))),
      threshold_(new QSlider(Qt::Horizontal)),
      cursor_(new ChartCursor(this)) {
  auto* columns = new QHBoxLayout(this);
  columns->setContentsMargins(space::l, space::m, space::l, space::m);
  columns->setSpacing(space::l);
  auto* parts = new StackingRow(classes_beside, StackingRow::Stack::first_on_top);
  parts->box().setSpacing(space::l);
  parts->addWidget(makeClasses(), 5, classes_height);
  parts->addWidget(makeCharts(), 7, charts_height);
  columns->addWidget(parts);
  connect(threshold_, &QSlider::valueChanged, this, &MetricsView::showThreshold);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
    const int one = now.isValid() ? now.data(ClassTableModel::ClassRole).toInt() : -1;
    if (one >= 0 && one != one_) chooseClass(one);
  });
}

QWidget* MetricsView::makeClasses() {
  auto* side = new QWidget;
  auto* rows = new QVBoxLayout(side);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  rows->addWidget(title_ = makeLabel(tr("Per class"), 1, static_cast<int>(TextRole::title)));
  table_ = makeClassTable(model_, side);
  top_->setWordWrap(true);
  rows->addWidget(note_);
  rows->addWidget(table_, 1);
  rows->addWidget(top_);
  QPushButton* speed = makeButton(tr("Measure speed"), ButtonKind::neutral, QStringLiteral("gauge"), side);
  speed->setToolTip(tr("Latency and images per second on every device for batches of 1, 8 and 64"));
  connect(speed, &QPushButton::clicked, this, &MetricsView::speedRequested);
  rows->addWidget(speed, 0, Qt::AlignLeft);
  return side;
}

QWidget* MetricsView::makeCharts() {
  auto* side = new QWidget;
  auto* rows = new QVBoxLayout(side);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  ofClasses_ = new QWidget;
  auto* grid = new QGridLayout(ofClasses_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(space::m);
  charts_ = charts_of<MetricsShown>(chart_rows, "MetricCharts", *cursor_, *grid);
  for (MetricChart* c : charts_) c->setHorizontal({0, 100});
  auto* head = new QHBoxLayout;
  head->setSpacing(space::m);
  threshold_->setRange(0, 100);
  threshold_->setValue(50);
  threshold_->setFixedWidth(180);
  sentence_->setWordWrap(true);
  threshold_->setAccessibleName(tr("Threshold"));
  threshold_->setToolTip(tr("An image counts as this class when its probability is at least this"));
  head->addWidget(chosen_);
  head->addWidget(sentence_, 1);
  head->addWidget(threshold_);
  numbers_ = new MetricChart(
      {.title = tr("Predicted"), .xName = tr("True"), .format = [](double v) { return QString::number(v, 'g', 4); }},
      cursor_);
  numbers_->setObjectName(QStringLiteral("numbers"));
  numbers_->addCurve({tr("equal to the true value"), 0, CurveKind::future, true, false, false});
  numbers_->addCurve({tr("one point per image"), 0, CurveKind::dots, true, false, false});
  numbers_->hide();
  for (const MetricChart* c : charts_) connect(c, &MetricChart::message, this, &MetricsView::message);
  connect(numbers_, &MetricChart::message, this, &MetricsView::message);
  rows->addLayout(head);
  rows->addWidget(ofClasses_, 1);
  rows->addWidget(numbers_, 1);
  return side;
}

MetricChart* MetricsView::chart(const QString& id) const {
  if (id == numbers_->objectName()) return numbers_;
  const auto found =
      std::find_if(charts_.begin(), charts_.end(), [&](const MetricChart* c) { return c->objectName() == id; });
  return found == charts_.end() ? nullptr : *found;
}

QString MetricsView::sentence() const { return sentence_->text(); }

void MetricsView::showEvent(QShowEvent*) {
  if (stale_) ask();
}

void MetricsView::refresh() {
  ++turn_;
  asking_ = false;
  const auto view = source_.view();
  const bool known = view && (!view->metrics.classes.empty() || !view->numbers.empty());
  model_.setView(known ? view : nullptr);
  table_->setVisible(known);
  note_->say(known || !view ? QString()
             : source_.files().isEmpty()
                 ? tr("There are too many images and classes to store every probability. Choose a smaller split.")
                 : tr("These metrics are computed for the splits of the run's data set, not for your own images."));
  shown_ = {.metrics = known ? view->metrics : Metrics{}, .curves = {}, .threshold = threshold_->value()};
  QStringList top;
  for (std::size_t k = 0; k < shown_.metrics.top_k.size(); ++k)
    top << tr("top %1: %2").arg(k + 1).arg(percentText(shown_.metrics.top_k[k], 2));
  top_->setText(top.isEmpty() ? QString()
                              : tr("True class among the most probable: %1").arg(top.join(QStringLiteral(", "))));
  showKind();
  const qsizetype rows = !known ? 0 : view->numbers.empty() ? view->outputs.size() : std::ssize(view->numbers);
  if (one_ >= rows) one_ = 0;
  stale_ = known;
  fill();
  if (known && isVisible()) ask();
}

void MetricsView::chooseClass(int one) {
  one_ = one;
  ++turn_;
  ask();
}

/// The helper has cached the evaluation, so this takes milliseconds.
void MetricsView::ask() {
  stale_ = false;
  asking_ = true;
  source_.curves(this, one_, [this, turn = turn_](const Result<ClassCurves>& answer) {
    if (turn != turn_) return;
    asking_ = false;
    if (answer)
      shown_.curves = *answer;
    else
      note_->say(translated(answer.error().what));
    fill();
  });
}

void MetricsView::fill() {
  const auto view = source_.view();
  if (view && !view->numbers.empty()) return fillNumbers();
  for (std::size_t i = 0; i < charts_.size(); ++i) chart_rows[i].fill(*charts_[i], shown_);
  chosen_->setText(view && !view->metrics.classes.empty() ? tr("%1 against the rest").arg(view->outputs.value(one_))
                                                          : QString());
  showThreshold();
}

/// Regression has one chart: prediction over target.
void MetricsView::showKind() {
  const auto view = source_.view();
  const bool numbers = view && !view->numbers.empty(), labels = view && view->kind == TargetKind::labels;
  title_->setText(numbers ? tr("Per target") : labels ? tr("Per label") : tr("Per class"));
  for (QWidget* w : {static_cast<QWidget*>(threshold_), static_cast<QWidget*>(sentence_)}) w->setVisible(!numbers);
  ofClasses_->setVisible(!numbers);
  numbers_->setVisible(numbers);
}

void MetricsView::fillNumbers() {
  const auto view = source_.view();
  const auto& truth = shown_.curves.truth;
  chosen_->setText(view->outputs.value(one_));
  if (truth.empty()) return;
  const auto [low, high] = std::minmax_element(truth.begin(), truth.end());
  numbers_->setHorizontal({*low, std::max(*high, *low + 1e-9)});
  numbers_->setCurve(0, {*low, *high}, {*low, *high});
  std::vector<std::pair<double, double>> points;  // a curve needs ascending x
  for (std::size_t i = 0; i < truth.size(); ++i) points.emplace_back(truth[i], shown_.curves.predicted[i]);
  std::sort(points.begin(), points.end());
  QVector<double> x, y;
  for (const auto& [is, predicted] : points) {
    x << is;
    y << predicted;
  }
  numbers_->setCurve(1, x, y);
  numbers_->setHeadline(tr("R² %1").arg(figure(view->numbers[static_cast<std::size_t>(one_)].figures.r2)));
}

void MetricsView::showThreshold() {
  if (numbers_->isVisibleTo(this)) return;
  shown_.threshold = threshold_->value();
  fillThreshold(*chart(QStringLiteral("threshold")), shown_);
  const auto at = static_cast<std::size_t>(shown_.threshold);
  if (at >= shown_.curves.decisions.size()) return sentence_->clear();
  const Decisions& d = shown_.curves.decisions[at];
  sentence_->setText(
      tr("At a threshold of %1 %: precision %2, recall %3, %4, %5")
          .arg(QString::number(shown_.threshold), percentText(precision_of(d)), percentText(recall_of(d)),
               tr("%1 false positive(s)", nullptr, static_cast<int>(d.wrong_yes)).arg(grouped(d.wrong_yes)),
               tr("%1 false negative(s)", nullptr, static_cast<int>(d.wrong_no)).arg(grouped(d.wrong_no))));
}

}  // namespace nw::ui
