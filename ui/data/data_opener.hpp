// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the document's data through the helper whenever the choice changes, and tells the session what it found. One
// per session, shared by everything that shows data. GUI thread.
#pragma once
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <vector>

#include "engine/compile/compile.hpp"

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
  bool fellBack = false;  // nothing was found: synthetic digits stand in
};
/// The answer to "open_data".
DataInfo data_info_from(const Json& answer);

class DataOpener : public QObject {
  Q_OBJECT
 public:
  enum class State { opening, open, failed };
  explicit DataOpener(Session& session);
  State state() const { return state_; }
  const DataInfo& info() const { return info_; }
  QString error() const { return error_; }
  /// Again, with the same choice: something on disk has changed.
  void reopen();

 Q_SIGNALS:
  void changed();

 private:
  void choiceMayHaveChanged();
  void replaced();
  void ask();

  Session& session_;
  QTimer timer_;
  DataChoice asked_;
  DataInfo info_;
  QString error_;
  State state_ = State::opening;
  qint64 request_ = 0;
};

/// The session's probe; made, and the data opened, at the first call.
DataOpener& dataOpener(Session& session);

}  // namespace nw::ui
