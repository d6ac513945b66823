// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_settings/setting_changes.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "engine/train/knobs.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/settings/setting_rows.hpp"

namespace nw::ui {
namespace {

constexpr double together_s = 2;  // layers frozen within this time were chosen together

struct SettingChangesTexts {
  Q_DECLARE_TR_FUNCTIONS(SettingChanges)
};

bool isFrozen(const QString& name) { return name.startsWith(QString::fromUtf8(frozen_knob.data())); }
QString layerOf(const QString& name) { return name.mid(static_cast<qsizetype>(frozen_knob.size())); }

const SettingRow* rowOf(const std::vector<SettingRow>& rows, const QString& name) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const SettingRow& r) { return r.id == name; });
  return row == rows.end() ? nullptr : &*row;
}

std::int64_t stepsPerEpoch(const RunFeed& feed) { return std::max<std::int64_t>(1, feed.started().steps_per_epoch); }

double scheduledRate(const RunFeed& feed, std::int64_t step) {
  return feed.definition() ? learning_rate_at(feed.definition()->doc.settings(), step, stepsPerEpoch(feed)) : 0;
}

double lossSince(const RunFeed& feed, std::int64_t step) {
  double before = qQNaN(), now = qQNaN();
  for (const EpochEnd& e : feed.epochs())
    if (e.has_validation) (e.step <= step ? before : now) = e.validation_loss;
  return now - before;
}

/// The values that the settings have after the events read so far.
class Values {
 public:
  explicit Values(const RunFeed& feed) : feed_(feed) {}
  SettingValue of(const Knob& knob) const {
    const QString name = QString::fromStdString(knob.name);
    if (const auto set = values_.find(name); set != values_.end() && !set->second.scheduled) return set->second;
    if (knob.name == rate_knob) return {scheduledRate(feed_, knob.step), true};
    return {feed_.definition() ? settingValue(feed_.definition()->doc, name) : 0, false};
  }
  void take(const Knob& knob) { values_[QString::fromStdString(knob.name)] = {knob.value, knob.scheduled}; }

 private:
  const RunFeed& feed_;
  std::map<QString, SettingValue> values_;
};

bool joins(const SettingChange& last, const SettingChange& next, double seconds) {
  return seconds <= together_s && isFrozen(last.names.first()) && isFrozen(next.names.first()) &&
         last.after == next.after && !last.names.contains(next.names.first());
}

}  // namespace

QVector<SettingChange> settingChanges(const RunFeed& feed) {
  QVector<SettingChange> out;
  Values values(feed);
  double lastTime = 0;
  for (const Event& event : feed.log()) {
    const auto* knob = std::get_if<Knob>(&event.what);
    if (!knob || knob->name == epochs_knob) continue;
    SettingChange next{static_cast<int>(out.size()) + 1,
                       {QString::fromStdString(knob->name)},
                       values.of(*knob),
                       {knob->value, knob->scheduled},
                       knob->step,
                       static_cast<double>(knob->step) / static_cast<double>(stepsPerEpoch(feed)),
                       lossSince(feed, knob->step)};
    values.take(*knob);
    if (!out.isEmpty() && joins(out.last(), next, event.t - lastTime))
      out.last().names += next.names;
    else
      out.append(std::move(next));
    lastTime = event.t;
  }
  return out;
}

GraphDoc trainedNow(const RunFeed& feed) {
  GraphDoc doc = feed.definition()->doc;
  for (const Event& e : feed.log()) {
    const auto* knob = std::get_if<Knob>(&e.what);
    if (knob == nullptr) continue;
    if (auto changed = with_knob(doc, knob->name, knob->value)) doc = *std::move(changed);
  }
  return doc;
}

SettingValue rateNow(const RunFeed& feed) {
  SettingValue now{feed.last().learning_rate, true};
  if (!(now.value > 0)) now.value = scheduledRate(feed, feed.last().last);
  for (const Event& e : feed.log())
    if (const auto* knob = std::get_if<Knob>(&e.what); knob && knob->name == rate_knob)
      now = knob->scheduled ? SettingValue{feed.last().learning_rate, true} : SettingValue{knob->value, false};
  return now;
}

double settingValue(const GraphDoc& doc, const QString& name) {
  if (isFrozen(name)) {
    const std::string layer = layerOf(name).toStdString();
    for (const auto& [id, node] : doc.graph().nodes)
      if (node.name == layer) return node.frozen ? 1 : 0;
    return 0;
  }
  const std::vector<SettingRow> rows = settingRows();
  const SettingRow* row = rowOf(rows, name);
  return row ? row->get(doc.settings()) : 0;
}

QString settingLabel(const QString& name) {
  if (isFrozen(name)) return SettingChangesTexts::tr("Freezing of %1").arg(layerOf(name).left(40));
  if (name == QLatin1String("augment_strength")) return SettingChangesTexts::tr("Augmentation");
  const std::vector<SettingRow> rows = settingRows();
  const SettingRow* row = rowOf(rows, name);
  return row ? row->label : name.left(40);
}

QString settingText(const QString& name, const SettingValue& v) {
  if (v.scheduled) return SettingChangesTexts::tr("as scheduled");
  if (isFrozen(name)) return v.value != 0 ? SettingChangesTexts::tr("frozen") : SettingChangesTexts::tr("trained");
  const std::vector<SettingRow> rows = settingRows();
  const SettingRow* row = rowOf(rows, name);
  if (row && v.value == 0 && !row->zero.isEmpty()) return row->zero;
  return QString::number(v.value, 'g', 5);
}

QString changeText(const SettingChange& change) {
  const QString& name = change.names.first();
  if (!isFrozen(name))
    return SettingChangesTexts::tr("%1 %2 → %3")
        .arg(settingLabel(name), settingText(name, change.before), settingText(name, change.after));
  QStringList layers;
  for (const QString& one : change.names) layers += layerOf(one).left(40);
  const QString all = layers.size() <= 3 ? layers.join(QStringLiteral(", "))
                                         : SettingChangesTexts::tr("%1 to %2").arg(layers.first(), layers.last());
  return change.after.value != 0 ? SettingChangesTexts::tr("%1 frozen").arg(all)
                                 : SettingChangesTexts::tr("%1 trained").arg(all);
}

}  // namespace nw::ui
