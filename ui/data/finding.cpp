// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/finding.hpp"

#include <QCoreApplication>

#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

struct FindingsTexts {
  Q_DECLARE_TR_FUNCTIONS(Findings)
};

bool flag(const Json& from, const char* key) {
  const auto found = from.is_object() ? from.find(key) : from.end();
  return found != from.end() && found->is_boolean() && found->get<bool>();
}
/// The list under `key`; an empty list if it is missing or not a list.
const Json& list(const Json& from, const char* key) {
  static const Json none = Json::array();
  const auto found = from.is_object() ? from.find(key) : from.end();
  return found != from.end() && found->is_array() ? *found : none;
}

QString class_name(const QStringList& classes, const Json& sample, const char* key) {
  const int c = static_cast<int>(numberAt(sample, key, -1));
  return classes.value(c, QString::number(c));
}

QString part_name(const QString& part) {
  return part == QLatin1String("train")        ? FindingsTexts::tr("training")
         : part == QLatin1String("validation") ? FindingsTexts::tr("validation")
                                               : FindingsTexts::tr("test");
}

FindingSample sample_from(const Json& j) {
  return {flag(j, "test_set"), static_cast<qint64>(numberAt(j, "index", -1)), textAt(j, "name"), flag(j, "redundant")};
}

/// "in training and test", "labels differ: cat, dog"
QString circumstances(const Json& defect, const QStringList& classes) {
  QStringList parts, labels, sentences;
  for (const Json& s : list(defect, "samples")) {
    const QString part = part_name(textAt(s, "split")), label = class_name(classes, s, "label");
    if (!parts.contains(part)) parts << part;
    if (!labels.contains(label)) labels << label;
  }
  sentences << FindingsTexts::tr("in %1").arg(parts.join(FindingsTexts::tr(" and ")));
  if (flag(defect, "labels_differ"))
    sentences << FindingsTexts::tr("labels differ: %1").arg(labels.join(QStringLiteral(", ")));
  return sentences.join(QStringLiteral("; "));
}

Finding defect_from(const Json& j, const QStringList& classes) {
  Finding f;
  for (const Json& s : list(j, "samples")) f.samples.push_back(sample_from(s));
  const QString kind = textAt(j, "kind"), count = grouped(static_cast<qint64>(f.samples.size()));
  const auto images = static_cast<int>(f.samples.size());
  f.serious = flag(j, "across_splits") || flag(j, "labels_differ");
  f.detail =
      f.samples.empty() ? FindingsTexts::tr("in %1").arg(part_name(textAt(j, "split"))) : circumstances(j, classes);
  if (kind == QLatin1String("duplicate"))
    f.title = FindingsTexts::tr("%1 duplicate(s) of one image", nullptr, images).arg(count);
  else if (kind == QLatin1String("near-duplicate"))
    f.title = FindingsTexts::tr("%1 near-duplicate image(s), similarity %2", nullptr, images)
                  .arg(count, percentText(numberAt(j, "similarity"), 0));
  else if (kind == QLatin1String("blank"))
    f.title = FindingsTexts::tr("Blank image");
  else if (kind == QLatin1String("small class"))
    f.title = FindingsTexts::tr("Class %1 has few images").arg(class_name(classes, j, "class"));
  else if (kind == QLatin1String("constant channel"))
    f.title = FindingsTexts::tr("Channel %1 is the same everywhere").arg(static_cast<int>(numberAt(j, "channel")));
  else if (kind == QLatin1String("grey in colour"))
    f.title = FindingsTexts::tr("Grey images stored in three channels; one channel is enough");
  else
    f.title = kind;
  return f;
}

Finding file_from(const Json& j) {
  const bool unreadable = textAt(j, "kind") == QLatin1String("unreadable");
  Finding f{unreadable ? FindingsTexts::tr("Unreadable, skipped") : FindingsTexts::tr("Different size, resized"),
            {},
            {},
            unreadable};
  const QString file = textAt(j, "file"), why = textAt(j, "reason");
  const auto words = j.is_object() ? j.find("reason_text") : j.end();
  if (std::optional<Text> text = words != j.end() ? text_in(*words) : std::nullopt) {
    if (!text->args.empty() && QString::fromStdString(text->args[0]).endsWith(file)) text->args[0] = file.toStdString();
    f.detail = translated(*text);
    return f;
  }
  const qsizetype colon = why.indexOf(QStringLiteral(": "));  // the reader's message repeats the whole path
  f.detail = QStringLiteral("%1: %2").arg(file, why.left(colon).endsWith(file) ? why.mid(colon + 2) : why);
  return f;
}

}  // namespace

QStringList Finding::superfluous() const {
  QStringList names;
  for (const FindingSample& s : samples)
    if (s.superfluous && !s.name.isEmpty()) names << s.name;
  return names;
}

std::optional<Text> text_in(const Json& json) {
  const auto source = json.is_object() ? json.find("source") : json.end(),
             args = json.is_object() ? json.find("args") : json.end();
  if (!json.is_object() || source == json.end() || !source->is_string() || args == json.end() || !args->is_array())
    return std::nullopt;
  Text text{source->get<std::string>(), {}};
  for (const Json& arg : *args) text.args.push_back(arg.is_string() ? arg.get<std::string>() : std::string());
  return text;
}

std::vector<Finding> findings_from(const Json& answer, const QStringList& classes) {
  std::vector<Finding> all;
  for (const Json& file : list(answer, "files"))
    if (textAt(file, "kind") == QLatin1String("unreadable")) all.push_back(file_from(file));
  for (const Json& defect : list(answer, "defects")) all.push_back(defect_from(defect, classes));
  for (const Json& file : list(answer, "files"))
    if (textAt(file, "kind") != QLatin1String("unreadable")) all.push_back(file_from(file));
  return all;
}

std::vector<Finding> label_issues_from(const Json& answer, const QStringList& classes) {
  std::vector<Finding> all;
  for (const Json& s : list(answer, "label_issues")) {
    FindingSample sample = sample_from(s);
    sample.superfluous = true;
    Finding f{FindingsTexts::tr("%1, predicted as %2")
                  .arg(class_name(classes, s, "label"), class_name(classes, s, "predicted")),
              {},
              {sample},
              false};
    f.detail = FindingsTexts::tr("confidence %1, loss %2, %3")
                   .arg(percentText(numberAt(s, "confidence"), 1))
                   .arg(numberAt(s, "loss"), 0, 'g', 3)
                   .arg(sample.name);
    all.push_back(std::move(f));
  }
  return all;
}

}  // namespace nw::ui
