// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/cost_table.hpp"

#include <QGridLayout>
#include <QLabel>

#include "ui/session/json_values.hpp"
#include "ui/session/metric.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

struct CostRow {
  const char *id, *title;
};
constexpr CostRow rows[] = {
    {"accuracy", QT_TRANSLATE_NOOP("nw::ui::CostTable", "Accuracy, test")},
    {"interval", QT_TRANSLATE_NOOP("nw::ui::CostTable", "95 % interval")},
    {"bytes", QT_TRANSLATE_NOOP("nw::ui::CostTable", "File of weights")},
    {"parameters", QT_TRANSLATE_NOOP("nw::ui::CostTable", "Parameters")},
    {"multiply_adds", QT_TRANSLATE_NOOP("nw::ui::CostTable", "Multiply-adds")},
    {"latency1", QT_TRANSLATE_NOOP("nw::ui::CostTable", "Latency, batch 1")},
    {"latency8", QT_TRANSLATE_NOOP("nw::ui::CostTable", "Latency, batch 8")},
    {"latency64", QT_TRANSLATE_NOOP("nw::ui::CostTable", "Latency, batch 64")},
};
constexpr std::pair<const char*, qint64> latencies[] = {{"latency1", 1}, {"latency8", 8}, {"latency64", 64}};
const QString unknown = QStringLiteral("–");

QString countText(double n) { return n > 0 ? grouped(static_cast<qint64>(n)) : unknown; }
/// "97.1 kB, × 0.39"
QString beside(const QString& text, double value, double original) {
  return value > 0 && original > 0 ? text + QStringLiteral("  × %1").arg(value / original, 0, 'f', 2) : text;
}

double numberIn(const Json& result, const char* object, const char* key) {
  const auto found = result.find(object);
  return found == result.end() || !found->is_object() ? 0 : numberAt(*found, key);
}

QString accuracyText(const Json& result, const char* side) {
  const auto found = result.find("accuracy");
  if (found == result.end() || !found->is_object()) return unknown;
  Metric metric = Metric::accuracy;
  for (const Metric each : {Metric::all_labels, Metric::r2})
    if (textAt(result, "metric").toStdString() == name_of(each)) metric = each;
  return metricText(metric, numberAt(*found, side));
}

QString intervalText(const Json& result, const char* side) {
  const auto found = result.find("interval");
  if (found == result.end() || !found->is_object() || !found->contains(side)) return unknown;
  const Json& ends = (*found)[side];
  if (!ends.is_array() || ends.size() != 2 || !ends[0].is_number() || !ends[1].is_number()) return unknown;
  return CostTable::tr("%1 to %2")
      .arg(100 * ends[0].get<double>(), 0, 'f', 2)
      .arg(100 * ends[1].get<double>(), 0, 'f', 2);
}

}  // namespace

double latencyMs(const Json& result, const char* side, qint64 batch) {
  const auto all = result.find("latency");
  if (all == result.end() || !all->is_object() || !all->contains(side) || !(*all)[side].is_array()) return 0;
  for (const Json& row : (*all)[side])
    if (row.is_object() && integerAt(row, "batch") == batch) return numberAt(row, "latency_ms");
  return 0;
}

CostTable::CostTable(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("costTable"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(space::m);
  grid->setVerticalSpacing(5);
  const QString names[] = {{}, tr("Original"), tr("This run"), tr("Plan, predicted")};
  for (int c = 1; c < 4; ++c) {
    heads_[static_cast<std::size_t>(c)] = makeLabel(names[c], 2, static_cast<int>(TextRole::axis), this);
    grid->addWidget(heads_[static_cast<std::size_t>(c)], 0, c, Qt::AlignRight);
  }
  int at = 1;
  for (const CostRow& row : rows) {
    auto& cells = cells_[QLatin1String(row.id)];
    for (int c = 0; c < 4; ++c) {
      auto*& cell = cells[static_cast<std::size_t>(c)];
      cell = makeLabel(c == 0 ? tr(row.title) : unknown, c == 2 ? 1 : 2, static_cast<int>(TextRole::secondary), this);
      grid->addWidget(cell, at, c, c == 0 ? Qt::AlignLeft : Qt::AlignRight);
    }
    QFont italic = cells[3]->font();
    italic.setItalic(true);
    cells[3]->setFont(italic);
    ++at;
  }
  grid->setColumnStretch(0, 1);
  grid->setRowStretch(at, 1);
}

void CostTable::setRuns(const CompressionRecord& original, const CompressionRecord& shown) {
  original_ = original;
  shown_ = shown;
  refresh();
}

void CostTable::setPlan(const std::optional<PlannedCosts>& plan) {
  plan_ = plan;
  refresh();
}

void CostTable::put(const char* row, int column, const QString& text) {
  QLabel* cell = cells_[QLatin1String(row)][static_cast<std::size_t>(column + 1)];
  cell->setText(text);
  cell->setAccessibleName(
      tr("%1, %2: %3")
          .arg(cells_[QLatin1String(row)][0]->text(), heads_[static_cast<std::size_t>(column + 1)]->text(), text));
}

void CostTable::refresh() {
  const Json& first = original_.result;
  const CompressionRecord* records[] = {&original_, &shown_};
  const double bytes = numberIn(first, "bytes", "after");
  for (int c = 0; c < 2; ++c) {
    const CompressionRecord& r = *records[c];
    const auto share = [&](const QString& text, double value, double whole) {
      return c == 0 ? text : beside(text, value, whole);
    };
    put("accuracy", c, accuracyText(r.result, "after"));
    put("interval", c, intervalText(r.result, "after"));
    const double b = numberIn(r.result, "bytes", "after");
    put("bytes", c, share(b > 0 ? bytesText(b) : unknown, b, bytes));
    put("parameters", c, share(countText(double(r.parameters)), double(r.parameters), double(original_.parameters)));
    put("multiply_adds", c,
        share(countText(double(r.multiplyAdds)), double(r.multiplyAdds), double(original_.multiplyAdds)));
    for (const auto& [row, batch] : latencies) {
      const double whole = latencyMs(shown_.result, "before", batch);  // measured beside the shown run's
      const double ms = c == 0 && whole > 0 ? whole : latencyMs(r.result, "after", batch);
      put(row, c, share(millisecondsText(ms), ms, whole));
    }
  }
  const PlannedCosts plan = plan_.value_or(PlannedCosts());
  put("accuracy", 2, plan_ ? tr("once trained") : unknown);
  put("interval", 2, unknown);
  put("bytes", 2, beside(plan.bytes > 0 ? bytesText(plan.bytes) : unknown, plan.bytes, bytes));
  put("parameters", 2, beside(countText(plan.parameters), plan.parameters, double(original_.parameters)));
  put("multiply_adds", 2, beside(countText(plan.multiplyAdds), plan.multiplyAdds, double(original_.multiplyAdds)));
  for (const auto& [row, batch] : latencies) {
    const double ms = latencyMs(plan.trial, "after", batch);
    put(row, 2, ms > 0 ? tr("%1, tried").arg(millisecondsText(ms)) : unknown);
  }
}

QString CostTable::text(const QString& row, int column) const {
  const auto found = cells_.find(row);
  return found == cells_.end() ? QString() : (*found)[static_cast<std::size_t>(column + 1)]->text();
}

}  // namespace nw::ui
