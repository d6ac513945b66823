// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/submit/step_list.hpp"

#include "engine/submit/report.hpp"
#include "ui/session/json_values.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

using submit::Step;
constexpr Step steps[] = {Step::commands, Step::program, Step::data, Step::copy, Step::start};

QString titleOf(Step step) {
  switch (step) {
    case Step::commands:
      return StepList::tr("Commands there");
    case Step::program:
      return StepList::tr("The same version of netwright-cli there");
    case Step::data:
      return StepList::tr("Data there and free disk");
    case Step::copy:
      return StepList::tr("Copy of the data");
    case Step::start:
      return StepList::tr("Start");
  }
  return {};
}

int rowOf(const QString& name) {
  for (int i = 0; i < static_cast<int>(std::size(steps)); ++i)
    if (name == QString::fromUtf8(name_of(steps[i]).data())) return i;
  return -1;
}

}  // namespace

StepList::StepList(QWidget* parent) : QListWidget(parent) {
  setObjectName(QStringLiteral("submitSteps"));
  setAccessibleName(tr("Checks"));
  setWordWrap(true);
  setFixedHeight(136);
  for ([[maybe_unused]] const Step step : steps) new QListWidgetItem(this);
  clearSteps();
}

void StepList::clearSteps() {
  last_ = -1;
  copied_ = -1;
  copy_.clear();
  for (int i = 0; i < count(); ++i) put(i, State::open, {});
}

void StepList::put(int row, State state, const QString& found) {
  const QString words[] = {tr("not done yet"), tr("in progress"), tr("done"), tr("failed")};
  const char* icons[] = {"more", "loader", "check-circle", "x-circle"};
  const auto at = static_cast<std::size_t>(state);
  const QString title = titleOf(steps[row]);
  item(row)->setText(found.isEmpty() ? title : title + QStringLiteral(": ") + found);
  item(row)->setIcon(icon(QLatin1String(icons[at])));
  item(row)->setData(Qt::AccessibleTextRole, item(row)->text() + QStringLiteral(", ") + words[at]);
  item(row)->setToolTip(item(row)->text());
}

void StepList::take(const Json& line) {
  if (textAt(line, "type") != QLatin1String("step")) return;
  const int row = rowOf(textAt(line, "step"));
  if (row < 0) return;
  const auto done = line.find("done");
  const bool over = done != line.end() && done->is_boolean() && done->get<bool>();
  last_ = over ? -1 : row;
  if (steps[row] == Step::copy) return takeCopy(line, over);
  const auto sentence = line.find("sentence");
  put(row, over ? State::done : State::begun, sentence == line.end() ? QString() : sentenceOf(*sentence));
}

void StepList::takeCopy(const Json& line, bool done) {
  const double bytes = numberAt(line, "done_bytes", 0), all = numberAt(line, "all_bytes", 0);
  copied_ = all > 0 && !done ? bytes / all : -1;
  QString found = tr("%1 of %2").arg(bytesText(bytes), bytesText(all));
  if (const double left = numberAt(line, "seconds_left", -1); left >= 0 && !done)
    found += QStringLiteral(", ") + tr("%1 left").arg(durationText(left));
  copy_ = done ? QString() : found;
  put(rowOf(QStringLiteral("copy")), done ? State::done : State::begun, found);
}

void StepList::fail() {
  copied_ = -1;
  copy_.clear();
  if (last_ >= 0) put(last_, State::failed, {});
}

}  // namespace nw::ui
