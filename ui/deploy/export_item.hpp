// SPDX-License-Identifier: GPL-3.0-or-later
// One exporter of the Deploy page: what is known of its last export, in which state that is, and what its card says.
// Pure functions; GUI thread.
#pragma once
#include <QStringList>
#include <optional>

#include "ui/predict/export_record.hpp"
#include "ui/predict/network_export.hpp"

namespace nw::ui {

enum class ExportState { none, running, checking, proved, not_run, out_of_date, failed, changed };

struct ExportItem {
  const NetworkFormat* format = nullptr;
  std::optional<ExportRecord> record = {};
  QStringList changed = {};  // files that are not those that were proved
  QString failure = {};      // why the last export or check failed
  QString checked = {};      // what the last check found, a sentence
  bool running = false, checking = false;
  double elapsed = 0, expected = 0;  // seconds of what runs; expected 0: unknown
  QString stage = {};                // what runs now: ExportStage::id
};

/// `step`: of the weights that are chosen.
ExportState stateOf(const ExportItem& item, qint64 step);
struct StateText {
  QString text, tone;  // of makePill()
};
StateText stateText(ExportState state);
/// One line beside the state: when, what is left, or why.
QString stateDetail(const ExportItem& item, ExportState state);

struct ExportFigure {
  QString name, value;
};
/// Three figures of the card; "–" where nothing was measured.
QVector<ExportFigure> figuresOf(const ExportItem& item);
/// The programs that ran the file; or what hinders.
QString readersLine(const ExportItem& item);
QString stageText(const QString& id);
/// "12 %", or "3 s so far"
QString progressText(const ExportItem& item);
/// Everything that the panel shows, as text to copy.
QString proofAsText(const ExportItem& item, const QString& weights);
/// Of the fastest program that was timed by the proof, for one image; 0: none.
double millisecondsOf(const ExportItem& item);
/// "3.0e-7"
QString differenceText(double difference);

}  // namespace nw::ui
