// SPDX-License-Identifier: GPL-3.0-or-later
// The ordered list of random transforms: add, change, move up or down, remove. Each change is one step of undo.
#pragma once
#include <QWidget>
#include <vector>

#include "engine/design/transform.hpp"

class QVBoxLayout;

namespace nw::ui {

class NumberSpin;
class Session;

class TransformList : public QWidget {
  Q_OBJECT
 public:
  explicit TransformList(Session& session, QWidget* parent = nullptr);
  /// Shows the document's transforms.
  void refresh();

 private:
  struct Row {
    std::string type;
    std::vector<NumberSpin*> spins;
  };
  QWidget* makeRow(std::size_t at, const Transform& transform);
  QWidget* makeHeader(std::size_t at, const TransformType& type);
  void rebuild(const std::vector<Transform>& list);
  void put(std::vector<Transform> list, const QString& what, int mergeKey = 0);
  void add(const TransformType& type);
  void setValue(std::size_t row, std::size_t field, double value);
  void move(std::size_t from, std::size_t to);
  void remove(std::size_t at);

  Session& session_;
  QVBoxLayout* column_;
  QWidget* rowsPlace_ = nullptr;
  class QPushButton* add_;
  std::vector<Row> rows_;
  bool refreshing_ = false;
};

}  // namespace nw::ui
