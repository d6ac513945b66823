// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/layer_board.hpp"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHeaderView>
#include <QPainter>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "ui/session/run_feed.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
struct LayerBoardTexts {
  Q_DECLARE_TR_FUNCTIONS(LayerBoard)
};
constexpr int rowHeight = 28;

/// The card behind the table, as behind charts.
class Sheet : public QWidget {
 public:
  explicit Sheet(QWidget* inside) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 8);
    column->addWidget(inside);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    style::box(p, rect(), radius::card, theme().chartCard, theme().border1);
  }
};

QString number(double v, bool known) { return known ? QString::number(v, 'g', 3) : QString(); }

struct FigureColumn {
  const char* title;
  const char* help;
  QString (*text)(const LayerState&);
};
const FigureColumn figureColumns[] = {
    {QT_TRANSLATE_NOOP("LayerBoard", "Layer"), "", [](const LayerState& l) { return QString::fromStdString(l.layer); }},
    {QT_TRANSLATE_NOOP("LayerBoard", "Gradient norm"),
     QT_TRANSLATE_NOOP("LayerBoard", "L2 norm of the gradients of all weights of the layer, as used by the update."),
     [](const LayerState& l) { return number(l.gradients.norm, l.gradients.count > 0); }},
    {QT_TRANSLATE_NOOP("LayerBoard", "Mean magnitude"),
     QT_TRANSLATE_NOOP("LayerBoard", "Mean of the gradients' absolute values."),
     [](const LayerState& l) { return number(l.gradients.mean_abs, l.gradients.count > 0); }},
    {QT_TRANSLATE_NOOP("LayerBoard", "Maximum"),
     QT_TRANSLATE_NOOP("LayerBoard", "The greatest absolute value of its gradients."),
     [](const LayerState& l) { return number(l.gradients.max_abs(), l.gradients.count > 0); }},
    {QT_TRANSLATE_NOOP("LayerBoard", "Weight norm"), QT_TRANSLATE_NOOP("LayerBoard", "L2 norm of all its weights."),
     [](const LayerState& l) { return number(l.weights.norm, l.weights.count > 0); }},
    {QT_TRANSLATE_NOOP("LayerBoard", "Update ratio"),
     QT_TRANSLATE_NOOP("LayerBoard", "Norm of one update divided by the norm of the weights; about 0.001 is usual."),
     [](const LayerState& l) { return number(l.update_ratio, l.update_ratio >= 0); }},
    {QT_TRANSLATE_NOOP("LayerBoard", "Dead units"),
     QT_TRANSLATE_NOOP("LayerBoard", "Units of a ReLU that are zero for every recorded image."),
     [](const LayerState& l) {
       return l.units > 0 ? LayerBoardTexts::tr("%1 of %2").arg(grouped(l.dead), grouped(l.units)) : QString();
     }},
    {QT_TRANSLATE_NOOP("LayerBoard", "Zeros"),
     QT_TRANSLATE_NOOP("LayerBoard", "Fraction of the layer's outputs that are exactly zero."),
     [](const LayerState& l) {
       return l.outputs.count > 0
                  ? percentText(static_cast<double>(l.outputs.zeros) / static_cast<double>(l.outputs.count))
                  : QString();
     }},
};

const LayerState* layerOf(const LayerStatistics& s, const std::string& layer) {
  const auto found =
      std::find_if(s.layers.begin(), s.layers.end(), [&](const LayerState& l) { return l.layer == layer; });
  return found == s.layers.end() ? nullptr : &*found;
}

MetricChart* makeChart(const char* id, const QString& title, const QString& unit, ChartCursor* cursor,
                       const QStringList& curves) {
  ChartOptions options;
  options.id = QLatin1String(id);
  options.smoothing = 0;
  options.title = title;
  options.unit = unit;
  options.xName = LayerBoardTexts::tr("Epoch");
  options.logAxis = true;
  options.format = [](double v) { return QString::number(v, 'g', 3); };
  auto* chart = new MetricChart(options, cursor);
  for (int i = 0; i < curves.size(); ++i) chart->addCurve({curves[i], i, i == 0 ? CurveKind::line : CurveKind::dashed});
  return chart;
}
}  // namespace

void LayerFigures::setLayers(const std::vector<LayerState>& layers) {
  const bool same = std::equal(layers.begin(), layers.end(), layers_.begin(), layers_.end(),
                               [](const LayerState& a, const LayerState& b) { return a.layer == b.layer; });
  if (!same) beginResetModel();
  layers_ = layers;
  if (!same)
    endResetModel();
  else if (!layers_.empty())
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int LayerFigures::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(std::size(figureColumns));
}

QVariant LayerFigures::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
  if (role == Qt::TextAlignmentRole)
    return int(Qt::AlignVCenter | (index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight));
  if (role == Qt::FontRole) return ui::font(index.column() == 0 ? TextRole::button : TextRole::body);
  if (role != Qt::DisplayRole) return {};
  return figureColumns[index.column()].text(layers_[static_cast<std::size_t>(index.row())]);
}

QVariant LayerFigures::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const FigureColumn& column = figureColumns[section];
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignVCenter | (section == 0 ? Qt::AlignLeft : Qt::AlignRight));
  if (role == Qt::DisplayRole) return QCoreApplication::translate("LayerBoard", column.title);
  if (role == Qt::ToolTipRole && *column.help) return QCoreApplication::translate("LayerBoard", column.help);
  return {};
}

LayerBoard::LayerBoard(const RunFeed& feed, QWidget* parent)
    : QWidget(parent), feed_(feed), cursor_(new ChartCursor(this)), model_(new LayerFigures(this)) {
  empty_ = new EmptyState;
  empty_->show(
      QStringLiteral("layers"), tr("No layer statistics yet"),
      tr("Weights, gradients and outputs of each layer are recorded at intervals and at the end of each epoch."));
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::m);
  column->addWidget(makeTable(), 5);
  column->addWidget(makeCharts(), 8);
  damage_ = new SeverityLabel(SeverityLabel::Tone::warn, this);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  rows->addWidget(damage_);
  stack_ = new QStackedLayout;
  rows->addLayout(stack_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(content);
}

QWidget* LayerBoard::makeTable() {
  table_ = new QTableView;
  table_->setTabKeyNavigation(false);  // Tab leaves the table; the arrow keys move in it
  table_->setModel(model_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setAccessibleName(tr("Layer statistics"));
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(rowHeight);
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(0, QHeaderView::Stretch);
  header->setMinimumSectionSize(84);
  table_->setMinimumHeight(4 * rowHeight);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LayerBoard::refreshCharts);
  return new Sheet(table_);
}

QWidget* LayerBoard::makeCharts() {
  auto* charts = new QWidget;
  auto* grid = new QGridLayout(charts);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(space::m);
  gradients_ =
      makeChart("layer_gradients", tr("Gradients"), {}, cursor_, {tr("norm"), tr("maximum"), tr("mean magnitude")});
  updates_ =
      makeChart("layer_updates", tr("Update ratio"), tr("relative to the weight norm"), cursor_, {tr("update ratio")});
  grid->addWidget(gradients_, 0, 0, 1, 3);
  grid->addWidget(updates_, 0, 3, 1, 3);
  const QString titles[] = {tr("Weights"), tr("Gradient distribution"), tr("Outputs")};
  for (int i = 0; i < 3; ++i) {
    histograms_[i] = new HistogramChart(titles[i], cursor_);
    grid->addWidget(histograms_[i], 1, 2 * i, 1, 2);
  }
  for (const MetricChart* chart : {gradients_, updates_}) {
    connect(chart, &MetricChart::smoothingChanged, this, &LayerBoard::refreshCharts);
    connect(chart, &MetricChart::message, this, &LayerBoard::message);
  }
  for (const HistogramChart* chart : histograms_) connect(chart, &HistogramChart::message, this, &LayerBoard::message);
  for (int i = 0; i < 6; ++i) grid->setColumnStretch(i, 1);
  grid->setRowStretch(0, 1);
  grid->setRowStretch(1, 1);
  return charts;
}

QString LayerBoard::layer() const {
  const int row = table_->currentIndex().row();
  return row < 0 || row >= model_->rowCount()
             ? QString()
             : QString::fromStdString(model_->layers()[static_cast<std::size_t>(row)].layer);
}

void LayerBoard::choose(const QString& layer) {
  for (int row = 0; row < model_->rowCount(); ++row)
    if (QString::fromStdString(model_->layers()[static_cast<std::size_t>(row)].layer) == layer)
      return table_->setCurrentIndex(model_->index(row, 0));
}

QString LayerBoard::damage() const {
  const auto lines =
      static_cast<int>(std::min<std::int64_t>(feed_.damagedStatistics(), std::numeric_limits<int>::max()));
  return lines > 0 ? tr("The run's statistics.jsonl is damaged: %n line(s) cannot be read and are missing below.",
                        nullptr, lines)
                   : QString();
}

void LayerBoard::showEvent(QShowEvent*) { refresh(); }

void LayerBoard::refresh() {
  if (!isVisible()) return;
  damage_->say(damage());
  stack_->setCurrentIndex(feed_.statistics().empty() ? 0 : 1);
  const QString chosen = layer();
  model_->setLayers(feed_.statistics().empty() ? std::vector<LayerState>() : feed_.statistics().back().layers);
  choose(chosen);
  if (layer().isEmpty() && model_->rowCount() > 0) {
    const auto& layers = model_->layers();
    const auto learned =
        std::find_if(layers.begin(), layers.end(), [](const LayerState& l) { return l.weights.count > 0; });
    table_->setCurrentIndex(model_->index(learned == layers.end() ? 0 : static_cast<int>(learned - layers.begin()), 0));
  }
  refreshCharts();
}

void LayerBoard::refreshCharts() {
  const std::string name = layer().toStdString();
  QVector<double> x, norm, greatest, mean, ratioX, ratio;
  QVector<HistogramChart::Column> columns[3];
  for (const LayerStatistics& s : feed_.statistics()) {
    const LayerState* l = layerOf(s, name);
    if (!l) continue;
    if (l->gradients.count > 0) {
      x << s.epoch;
      norm << l->gradients.norm;
      greatest << l->gradients.max_abs();
      mean << l->gradients.mean_abs;
    }
    if (l->update_ratio >= 0) {
      ratioX << s.epoch;
      ratio << l->update_ratio;
    }
    columns[0].append({s.epoch, s.step, l->weights});
    columns[1].append({s.epoch, s.step, l->gradients});
    columns[2].append({s.epoch, s.step, l->outputs});
  }
  const Range epochs{0, std::max({static_cast<double>(feed_.started().epochs),
                                  feed_.statistics().empty() ? 0.0 : feed_.statistics().back().epoch, 1.0})};
  const double factor = gradients_->options().smoothing;
  gradients_->setCurve(0, x, smoothed(norm, factor));
  gradients_->setCurve(1, x, smoothed(greatest, factor));
  gradients_->setCurve(2, x, smoothed(mean, factor));
  updates_->setCurve(0, ratioX, smoothed(ratio, updates_->options().smoothing));
  for (MetricChart* chart : {gradients_, updates_}) {
    chart->setHorizontal(epochs);
    chart->setHeadline(QString::fromStdString(name));
  }
  for (int i = 0; i < 3; ++i) {
    histograms_[i]->setHorizontal(epochs);
    histograms_[i]->setColumns(columns[i]);
  }
}

}  // namespace nw::ui
