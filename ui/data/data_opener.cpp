// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_opener.hpp"

#include <QCoreApplication>
#include <algorithm>

#include "engine/design/input_shape.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/recipe.hpp"
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
  info.otherSize = integerAt(answer, "other_size");
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
  session_.setDataOpening(!same || state_ == State::opening);
  if (!same) return timer_.start();
  timer_.stop();
  if (state_ == State::open && info_.otherSize > 0 && input_shape(session_.doc()) != offeredFor_) {
    offerSizes();
    Q_EMIT changed();
  }
}

/// The session removed the data information with the old document; the same data need not be opened again.
void DataOpener::replaced() {
  if (session_.doc().data() != asked_) return ask();
  timer_.stop();
  if (state_ == State::open) session_.setDataFacts(info_.facts);
  if (problem_) session_.setDataProblem(problem_);
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
    if (answer) offerSizes();
    session_.setDataOpening(false);
    Q_EMIT changed();
  });
}

/// Images of unequal size get the first one's size: that is for the user to decide.
void DataOpener::offerSizes() {
  const DataFacts& facts = info_.facts;
  if (info_.otherSize == 0) return;
  offeredFor_ = input_shape(session_.doc());
  const PixelSize first{facts.height, facts.width};
  std::vector<PixelSize> sizes;
  if (offeredFor_) sizes.push_back({(*offeredFor_)[2], (*offeredFor_)[3]});
  sizes.push_back(first);
  const std::int64_t square = recommended_recipe({facts.train, facts.classes, first.height, first.width}, false).size;
  sizes.push_back({square, square});
  repairs_ = size_choices(asked_, sizes);
  if (repairs_.empty()) return;
  list(text(NW_TR("{0} images have another size than the first and are resized to {1}×{2}; choose the size of all"),
            info_.otherSize, first.height, first.width),
       Severity::warning);
}

/// Lists a problem of the data with its repairs among those of the network.
void DataOpener::list(const Text& what, Severity severity) {
  problem_ = Problem{.severity = severity, .what = what, .of_data = true};
  for (const DataRepair& repair : repairs_) problem_->fixes.push_back({repair.label, {PutData{repair.data}}});
  session_.setDataProblem(problem_);
}

/// A helper process that has ended says nothing about the data: training may still read it.
void DataOpener::failed(const Error& error) {
  error_ = translated(error.what);
  if (error.code == Errc::disconnected || error.code == Errc::no_response || error.code == Errc::stopped) return;
  repairs_ = data_repairs(asked_);
  list(error.what, Severity::error);
}

DataOpener& dataOpener(Session& session) {
  auto* probe = session.findChild<DataOpener*>(QStringLiteral("dataOpener"), Qt::FindDirectChildrenOnly);
  return probe != nullptr ? *probe : *new DataOpener(session);
}

}  // namespace nw::ui
