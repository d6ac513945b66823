// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_text.hpp"

#include <QCoreApplication>
#include <QMap>
#include <cmath>

#include "ui/charts/chart_scale.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/setting_rows.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Study)
};

struct MetricWords {
  const char *name, *title, *most, *least;
};
constexpr MetricWords metric_words[] = {
    {"accuracy", QT_TRANSLATE_NOOP("Study", "Validation accuracy"), QT_TRANSLATE_NOOP("Study", "highest accuracy"),
     QT_TRANSLATE_NOOP("Study", "lowest accuracy")},
    {"loss", QT_TRANSLATE_NOOP("Study", "Validation loss"), QT_TRANSLATE_NOOP("Study", "highest loss"),
     QT_TRANSLATE_NOOP("Study", "lowest loss")},
    {"parameters", QT_TRANSLATE_NOOP("Study", "Parameters"), QT_TRANSLATE_NOOP("Study", "most parameters"),
     QT_TRANSLATE_NOOP("Study", "fewest parameters")},
    {"multiply_adds", QT_TRANSLATE_NOOP("Study", "Multiply-adds"), QT_TRANSLATE_NOOP("Study", "most multiply-adds"),
     QT_TRANSLATE_NOOP("Study", "fewest multiply-adds")},
    {"seconds", QT_TRANSLATE_NOOP("Study", "Training time"), QT_TRANSLATE_NOOP("Study", "longest training"),
     QT_TRANSLATE_NOOP("Study", "shortest training")},
    {"energy", QT_TRANSLATE_NOOP("Study", "Energy"), QT_TRANSLATE_NOOP("Study", "most energy"),
     QT_TRANSLATE_NOOP("Study", "least energy")},
};

const MetricWords* wordsOf(const std::string& metric) {
  for (const MetricWords& row : metric_words)
    if (metric == row.name) return &row;
  return nullptr;
}

QString translatedWord(const char* word) { return QCoreApplication::translate("Study", word); }

/// "SGD" is a name, "tpe" an abbreviation.
QString upper(const std::string& name) {
  const QString word = inOneLine(QString::fromStdString(name));
  return name == "tpe" || name == "asha" ? word.toUpper() : name == "nsga2" ? QStringLiteral("NSGA-II") : word;
}

}  // namespace

QString studyTitle(const StudySnapshot& study) {
  return inOneLine(QString::fromStdString(study.definition.name).left(80));
}

QString objectiveTitle(const search::Objective& objective) {
  const MetricWords* words = wordsOf(objective.metric);
  return words ? translatedWord(words->title) : inOneLine(QString::fromStdString(objective.metric));
}

QString objectiveText(const std::string& metric, double value) {
  if (!std::isfinite(value)) return QStringLiteral("–");
  if (metric == "accuracy") return percentText(value, 2);
  if (metric == "seconds") return durationText(value);
  if (metric == "energy") return QStringLiteral("%1 J").arg(rounded(value));
  if (metric == "loss") return QString::number(value, 'g', 4);
  return rounded(value);
}

QString parameterTitle(const std::string& name) {
  if (name == "optimizer") return Words::tr("Optimizer");
  if (name == "schedule") return Words::tr("Learning-rate schedule");
  const QString id = QString::fromStdString(name);
  const std::string_view optimizer = "optimizer.";
  const QString setting = name.starts_with(optimizer) ? id.mid(static_cast<int>(optimizer.size())) : id;
  if (id.contains(u'.') && setting == id) return inOneLine(id);
  // The rows are made anew where the language has changed.
  static QString language;
  static QMap<QString, QString> labels;
  if (const QString now = Words::tr("Finished"); labels.isEmpty() || language != now) {
    language = now;
    labels.clear();
    for (const SettingRow& row : settingRows()) labels.insert(row.id, row.label);
  }
  return labels.value(setting, inOneLine(id));
}

QString parameterText(const search::Parameter& p, double value) {
  if (std::isnan(value)) return QStringLiteral("–");
  if (p.kind != search::Parameter::Kind::choice) return tickText(QString::number(value, 'g', 3).toDouble());
  const auto at = static_cast<std::size_t>(std::max(0.0, value));
  if (at >= p.values.size()) return QStringLiteral("–");
  const Json& word = p.values[at];
  return inOneLine(QString::fromStdString(word.is_string() ? word.get<std::string>() : word.dump()).left(80));
}

QString axisTitleOf(const StudySnapshot& study, const StudyAxis& axis) {
  return axis.parameter < 0
             ? objectiveTitle(study.definition.objectives[static_cast<std::size_t>(axis.objective)])
             : parameterTitle(study.definition.space.parameters[static_cast<std::size_t>(axis.parameter)].name);
}

QString stateText(const StudySnapshot& study, const search::Trial& t) {
  switch (t.state) {
    case search::TrialState::running:
      return study.running ? Words::tr("Epoch %1 of %2").arg(epochsOf(t)).arg(study.definition.epochs)
                           : Words::tr("Stopped at epoch %1").arg(epochsOf(t));
    case search::TrialState::paused:
      return Words::tr("Paused at epoch %1").arg(epochsOf(t));
    case search::TrialState::complete:
      return Words::tr("Finished");
    case search::TrialState::pruned:
      return Words::tr("Pruned at epoch %1").arg(epochsOf(t));
    case search::TrialState::failed:
      return Words::tr("Failed: %1").arg(inOneLine(QString::fromStdString(t.message)).left(300));
  }
  return {};
}

QString stateIcon(search::TrialState state) {
  switch (state) {
    case search::TrialState::running:
      return QStringLiteral("play");
    case search::TrialState::paused:
      return QStringLiteral("pause");
    case search::TrialState::complete:
      return QStringLiteral("check");
    case search::TrialState::pruned:
      return QStringLiteral("x");
    case search::TrialState::failed:
      return QStringLiteral("alert-circle");
  }
  return {};
}

QString goalText(const StudySnapshot& study) {
  QStringList parts;
  for (const search::Objective& o : study.definition.objectives)
    if (const MetricWords* words = wordsOf(o.metric)) parts += translatedWord(o.maximize ? words->most : words->least);
  return Words::tr("Objective: %1").arg(parts.join(Words::tr(", ")));
}

QString samplerText(const search::StudyDefinition& d) {
  return d.pruner == "none" ? upper(d.sampler) : QStringLiteral("%1, %2").arg(upper(d.sampler), upper(d.pruner));
}

}  // namespace nw::ui
