// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/export_item.hpp"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

struct Said {
  Q_DECLARE_TR_FUNCTIONS(ExportItem)
};

const QString dash = QStringLiteral("–");

bool wasRun(const Json& proof) {
  const auto readers = proof.find("readers");
  return textAt(proof, "type") == QLatin1String("weights") ||
         (!proof.contains("not_run") && readers != proof.end() && readers->is_array() && !readers->empty());
}

QString when(qint64 at) {
  const QDateTime then = QDateTime::fromSecsSinceEpoch(std::clamp<qint64>(at, 0, 253402300799));
  if (then.date() == QDate::currentDate()) return Said::tr("today %1").arg(then.toString(QStringLiteral("hh:mm")));
  return then.toString(QStringLiteral("yyyy-MM-dd hh:mm"));
}

/// The fastest program that ran the file, in milliseconds an image; 0: none was timed.
double oneImage(const Json& proof) {
  double least = numberAt(proof, "ms_per_image");
  const auto readers = proof.find("readers");
  if (least > 0 || readers == proof.end() || !readers->is_array()) return least;
  for (const Json& r : *readers)
    if (const double ms = numberAt(r, "ms_per_image"); ms > 0 && (least <= 0 || ms < least)) least = ms;
  return least;
}

QVector<ExportFigure> figuresOfWeights(const Json& proof) {
  return {{Said::tr("Max |Δ|"), QStringLiteral("0")},
          {Said::tr("Tensors"), grouped(integerAt(proof, "tensors"))},
          {Said::tr("SHA-256"), textAt(proof, "sha256").left(8)}};
}

QVector<ExportFigure> figuresOfServer(const Json& proof) {
  return {{Said::tr("Files"), grouped(textsAt(proof, "files").size())},
          {Said::tr("Size"), bytesText(numberAt(proof, "bytes"))},
          {Said::tr("Name"), inOneLine(textAt(proof, "name"))}};
}

QString wholeSeconds(double s) { return s < 60 ? Said::tr("%1 s").arg(static_cast<int>(s)) : durationText(s); }

QString missingText(const Json& proof) {
  const QString missing = textAt(proof, "not_run");
  if (missing == QLatin1String("cc")) return Said::tr("There is no C compiler on this computer");
  if (!missing.isEmpty()) return Said::tr("Not found on this computer: %1").arg(inOneLine(missing));
  return Said::tr("Nothing on this computer runs it");
}

}  // namespace

/// "1.3e-5", without the zero of "1.3e-05".
QString differenceText(double d) {
  static const QRegularExpression padded(QStringLiteral("e([+-])0"));
  return d == 0 ? QStringLiteral("0") : QString::number(d, 'g', 2).replace(padded, QStringLiteral("e\\1"));
}
double millisecondsOf(const ExportItem& item) { return item.record ? oneImage(item.record->proof) : 0; }

ExportState stateOf(const ExportItem& item, qint64 step) {
  if (item.running) return ExportState::running;
  if (item.checking) return ExportState::checking;
  if (!item.failure.isEmpty()) return ExportState::failed;
  if (!item.record) return ExportState::none;
  if (!item.changed.isEmpty()) return ExportState::changed;
  if (item.record->step != step) return ExportState::out_of_date;
  return wasRun(item.record->proof) ? ExportState::proved : ExportState::not_run;
}

StateText stateText(ExportState state) {
  switch (state) {
    case ExportState::none:
      return {Said::tr("Not exported"), QStringLiteral("neutral")};
    case ExportState::running:
      return {Said::tr("Being proved"), QStringLiteral("accent")};
    case ExportState::checking:
      return {Said::tr("Being checked"), QStringLiteral("accent")};
    case ExportState::proved:
      return {Said::tr("✓ Proved"), QStringLiteral("ok")};
    case ExportState::not_run:
      return {Said::tr("Written, not run"), QStringLiteral("warn")};
    case ExportState::out_of_date:
      return {Said::tr("Out of date"), QStringLiteral("warn")};
    case ExportState::failed:
      return {Said::tr("✕ Failed"), QStringLiteral("error")};
    case ExportState::changed:
      return {Said::tr("✕ Changed"), QStringLiteral("error")};
  }
  return {};
}

QString progressText(const ExportItem& item) {
  const double left = item.expected - item.elapsed;
  if (item.expected > 0 && left > 0.5) return Said::tr("about %1 left").arg(wholeSeconds(std::ceil(left)));
  return Said::tr("%1 so far").arg(wholeSeconds(std::floor(item.elapsed)));
}

QString stateDetail(const ExportItem& item, ExportState state) {
  switch (state) {
    case ExportState::none:
      return {};
    case ExportState::running:
    case ExportState::checking:
      return progressText(item);
    case ExportState::failed:
      return item.failure;
    case ExportState::changed:
      return Said::tr("since its proof: %1").arg(inOneLine(item.changed.join(QStringLiteral(", "))));
    case ExportState::out_of_date:
      return Said::tr("of step %1, %2").arg(grouped(item.record->step), when(item.record->at));
    case ExportState::proved:
    case ExportState::not_run:
      return when(item.record->at);
  }
  return {};
}

QVector<ExportFigure> figuresOf(const ExportItem& item) {
  const Json none = Json::object();
  const Json& proof = item.record ? item.record->proof : none;
  if (textAt(proof, "type") == QLatin1String("weights")) return figuresOfWeights(proof);
  if (textAt(proof, "type") == QLatin1String("server")) return figuresOfServer(proof);
  QVector<ExportFigure> all{
      {Said::tr("Max |Δ|"), dash}, {Said::tr("Top-1 agrees"), dash}, {Said::tr("One image"), dash}};
  if (!wasRun(proof)) return all;
  const qint64 images = integerAt(proof, "images");
  const qint64 same = std::llround(numberAt(proof, "top1_agreement") * static_cast<double>(images));
  all[0].value = differenceText(numberAt(proof, "max_abs_diff"));
  all[1].value = Said::tr("%1 of %2").arg(grouped(same), grouped(images));
  all[2].value = millisecondsText(oneImage(proof));
  return all;
}

QString readersLine(const ExportItem& item) {
  if (!item.record) return {};
  const Json& proof = item.record->proof;
  if (textAt(proof, "type") == QLatin1String("weights")) return Said::tr("Read again bit by bit");
  if (textAt(proof, "type") == QLatin1String("server")) return Said::tr("Written; it was not started");
  if (!wasRun(proof)) return missingText(proof);
  QStringList names;
  for (const Json& r : proof.at("readers"))
    if (textAt(r, "problem").isEmpty())
      names << inOneLine((textAt(r, "reader") + u' ' + textAt(r, "version")).trimmed());
  return Said::tr("Run by %1").arg(names.join(QStringLiteral(", ")));
}

QString stageText(const QString& id) {
  struct Row {
    const char *id, *text;
  };
  static constexpr Row rows[] = {
      {"start", QT_TRANSLATE_NOOP("ExportItem", "Weights read")},
      {"images", QT_TRANSLATE_NOOP("ExportItem", "Real images computed by the run's own network")},
      {"write", QT_TRANSLATE_NOOP("ExportItem", "Written for the trial")},
      {"run", QT_TRANSLATE_NOOP("ExportItem", "Read and run in fresh processes")},
      {"save", QT_TRANSLATE_NOOP("ExportItem", "Put in its place")},
      {"stamp", QT_TRANSLATE_NOOP("ExportItem", "Every file's SHA-256 stamped")},
  };
  for (const Row& row : rows)
    if (id == QLatin1String(row.id)) return Said::tr(row.text);
  return inOneLine(id);
}

QString proofAsText(const ExportItem& item, const QString& weights) {
  if (!item.record) return {};
  QStringList lines{titleOf(*item.format), inOneLine(item.record->file), inOneLine(weights),
                    proofText(item.record->proof)};
  for (const ExportFigure& f : figuresOf(item)) lines << QStringLiteral("%1: %2").arg(f.name, f.value);
  for (const ExportStage& s : item.record->stages)
    lines << QStringLiteral("%1: %2 s").arg(stageText(s.id)).arg(s.seconds, 0, 'f', 2);
  for (auto it = item.record->digests.begin(); it != item.record->digests.end(); ++it)
    lines << QStringLiteral("%1  %2").arg(*it, inOneLine(it.key()));
  if (!item.changed.isEmpty()) lines << stateDetail(item, ExportState::changed);
  if (!item.checked.isEmpty()) lines << item.checked;
  return lines.join(u'\n') + u'\n';
}

}  // namespace nw::ui
