// SPDX-License-Identifier: GPL-3.0-or-later
// Training of the open project begins with the weights of a file that the user chooses.
#pragma once
#include <QObject>
#include <QString>
#include <vector>

#include "engine/exchange/weight_table.hpp"

class QWidget;

namespace nw::ui {

class Session;

class WeightStart : public QObject {
  Q_OBJECT
 public:
  WeightStart(Session& session, QWidget& window);
  /// Asks for a file. It is read on another thread; then the user sees what of it would be taken, and decides.
  void choose();
  /// The same with a file that is known.
  void open(const QString& file);

 Q_SIGNALS:
  /// The file is of a program whose files run code when they are opened.
  void foreign(const QString& file);

 private:
  struct Matches {
    std::vector<exchange::WeightRow> rows;
    std::string sha256;
  };
  void show(const QString& file, const Matches& matches, quint64 version);
  void take(const QString& file, const Matches& matches);
  Session& session_;
  QWidget& window_;
};

}  // namespace nw::ui
