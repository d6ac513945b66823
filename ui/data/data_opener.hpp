// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the document's data in the helper process whenever the choice changes, and reports the result to the session.
// One per session, shared by all views of the data. GUI thread.
#pragma once
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <optional>
#include <vector>

#include "engine/compile/compile.hpp"
#include "engine/data/sources/repairs.hpp"

namespace nw::ui {

class Session;

/// Properties of the data on disk.
struct DataInfo {
  QString description;  // "MNIST, 60 000 images 28×28×1"
  QString place;        // folder or file; empty: the data is generated
  QStringList classes, warnings;
  std::vector<qint64> train, validation, test;  // images per class
  std::vector<double> mean, deviation;          // per channel, of pixels scaled to 0…1
  DataFacts facts;
  qint64 otherSize = 0;   // images that were resized to the first one's size, since the choice sets none
  bool fellBack = false;  // no data was found: synthetic digits are used instead
};
/// The response to "open_data".
DataInfo data_info_from(const Json& answer);

class DataOpener : public QObject {
  Q_OBJECT
 public:
  enum class State { opening, open, failed };
  explicit DataOpener(Session& session);
  State state() const { return state_; }
  const DataInfo& info() const { return info_; }
  QString error() const { return error_; }
  /// While failed: other choices that can probably be opened. While open: sizes for images of unequal size. They are
  /// also the quick fixes of the session's data problem.
  const std::vector<DataRepair>& repairs() const { return repairs_; }
  /// Opens the same choice again after a change on disk.
  void reopen();

 Q_SIGNALS:
  void changed();

 private:
  void choiceMayHaveChanged();
  void replaced();
  void ask();
  void failed(const Error& error);
  void offerSizes();
  void list(const Text& what, Severity severity);

  Session& session_;
  QTimer timer_;
  DataChoice asked_;
  DataInfo info_;
  QString error_;
  std::vector<DataRepair> repairs_;
  std::optional<Problem> problem_;
  std::optional<Shape> offeredFor_;  // the network's input when sizes were offered
  State state_ = State::opening;
  qint64 request_ = 0;
};

/// The session's opener; the first call creates it and opens the data.
DataOpener& dataOpener(Session& session);

}  // namespace nw::ui
