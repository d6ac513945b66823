// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers of the network train from which epoch, and how fast: a row for each group of layers that are trained
// alike. Each change is one step of undo.
#pragma once
#include <QWidget>
#include <vector>

#include "engine/design/graph_doc.hpp"

class QVBoxLayout;

namespace nw::ui {

class NumberSpin;
class Session;
class SeverityLabel;

class StageList : public QWidget {
  Q_OBJECT
 public:
  explicit StageList(Session& session, QWidget* parent = nullptr);
  /// Shows the document's layers. Groups stay as they are while their layers are trained alike, so that a group does
  /// not merge with another while a number is typed.
  void refresh();

 private:
  struct Row {
    std::vector<NodeId> nodes;
    NumberSpin *epoch = nullptr, *factor = nullptr;
  };
  bool fits() const;
  void rebuild();
  QWidget* makeRow(std::size_t at);
  template <class Change>
  void change(std::size_t row, const QString& what, int key, const Change& make);
  void setEpoch(std::size_t row, double epoch);
  void setFactor(std::size_t row, double factor);

  Session& session_;
  QVBoxLayout* column_;
  SeverityLabel* note_;
  QWidget* rowsPlace_ = nullptr;
  std::vector<Row> rows_;
  bool refreshing_ = false;
};

}  // namespace nw::ui
