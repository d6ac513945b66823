// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_opener.hpp"

#include <QCoreApplication>

#include "engine/design/project_file.hpp"
#include "ui/data/finding.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr int delay_ms = 120;  // so that a number that is changed repeatedly opens the data once

template <class T>
std::vector<T> numbers(const Json& from, const char* key) {
  std::vector<T> out;
  if (const auto found = from.find(key); found != from.end() && found->is_array())
    for (const Json& value : *found) out.push_back(value.is_number() ? value.get<T>() : T{});
  return out;
}

/// Each message in the window's language: a template with its arguments, or plain text.
QStringList sentences(const Json& from, const char* key) {
  QStringList out = textsAt(from, key);
  out.removeAll(QString());  // sentences with a template are objects, added below
  if (const auto found = from.find(key); found != from.end() && found->is_array())
    for (const Json& value : *found)
      if (const std::optional<Text> text = text_in(value)) out << translated(*text);
  return out;
}

}  // namespace

DataInfo data_info_from(const Json& answer) {
  DataInfo info;
  info.description = QCoreApplication::translate("engine", textAt(answer, "description").toUtf8().constData());
  info.place = textAt(answer, "place");
  info.classes = textsAt(answer, "classes");
  info.warnings = sentences(answer, "warnings");
  info.mean = numbers<double>(answer, "mean");
  info.deviation = numbers<double>(answer, "deviation");
  if (const auto counts = answer.find("counts"); counts != answer.end() && counts->is_object()) {
    info.train = numbers<qint64>(*counts, "train");
    info.validation = numbers<qint64>(*counts, "validation");
    info.test = numbers<qint64>(*counts, "test");
  }
  if (const auto facts = answer.find("facts"); facts != answer.end() && facts->is_object())
    info.facts = {integerAt(*facts, "channels"),
                  integerAt(*facts, "height"),
                  integerAt(*facts, "width"),
                  integerAt(*facts, "classes"),
                  static_cast<TargetKind>(std::clamp<std::int64_t>(integerAt(*facts, "targets"), 0, 2)),
                  integerAt(*facts, "train"),
                  integerAt(*facts, "validation"),
                  integerAt(*facts, "test")};
  const auto fell = answer.find("fell_back");
  info.fellBack = fell != answer.end() && fell->is_boolean() && fell->get<bool>();
  return info;
}

DataOpener::DataOpener(Session& session) : QObject(&session), session_(session) {
  setObjectName(QStringLiteral("dataOpener"));
  timer_.setSingleShot(true);
  timer_.setInterval(delay_ms);
  connect(&timer_, &QTimer::timeout, this, &DataOpener::ask);
  connect(&session_, &Session::documentChanged, this, &DataOpener::choiceMayHaveChanged);
  connect(&session_, &Session::documentReplaced, this, &DataOpener::replaced);
  ask();
}

void DataOpener::choiceMayHaveChanged() {
  const bool same = session_.doc().data() == asked_;
  same ? timer_.stop() : timer_.start();
  session_.setDataOpening(!same || state_ == State::opening);
}

/// The session removed the data information with the old document; the same data need not be opened again.
void DataOpener::replaced() {
  if (session_.doc().data() != asked_) return ask();
  timer_.stop();
  if (state_ == State::open) session_.setDataFacts(info_.facts);
  if (state_ == State::failed) session_.setDataProblem(problem_);
  session_.setDataOpening(state_ == State::opening);
}

void DataOpener::reopen() { ask(); }

void DataOpener::ask() {
  session_.helper().cancel(request_);
  asked_ = session_.doc().data();
  state_ = State::opening;
  problem_.reset();
  repairs_.clear();
  session_.setDataProblem({});
  session_.setDataOpening(true);
  Q_EMIT changed();
  request_ = session_.helper().ask(this, protocol::OpenDataRequest{{asked_}}, [this](const Result<Message>& answer) {
    request_ = 0;
    state_ = answer ? State::open : State::failed;
    error_.clear();
    if (!answer) failed(answer.error());
    info_ = answer ? data_info_from(answer->json) : DataInfo{};
    session_.setDataFacts(info_.facts);
    session_.setDataOpening(false);
    Q_EMIT changed();
  });
}

/// A helper process that has ended says nothing about the data: training may still read it.
void DataOpener::failed(const Error& error) {
  error_ = translated(error.what);
  if (error.code == Errc::disconnected || error.code == Errc::no_response || error.code == Errc::stopped) return;
  repairs_ = data_repairs(asked_);
  problem_ = Problem{.what = error.what, .of_data = true};
  for (const DataRepair& repair : repairs_) problem_->fixes.push_back({repair.label, {PutData{repair.data}}});
  session_.setDataProblem(problem_);
}

DataOpener& dataOpener(Session& session) {
  auto* probe = session.findChild<DataOpener*>(QStringLiteral("dataOpener"), Qt::FindDirectChildrenOnly);
  return probe != nullptr ? *probe : *new DataOpener(session);
}

}  // namespace nw::ui
