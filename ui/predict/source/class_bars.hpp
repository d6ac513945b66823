// SPDX-License-Identifier: GPL-3.0-or-later
// Class probabilities as rows "name | bar | percent | tag".
#pragma once
#include <QStringList>
#include <QWidget>
#include <vector>

namespace nw::ui {

class ClassBars : public QWidget {
  Q_OBJECT
 public:
  enum class Form { tagged /* top classes with "predicted" and "true" */, plain /* every class in its place */ };
  explicit ClassBars(Form form, QWidget* parent = nullptr);
  struct Row {
    QString name;
    float share = 0;
    bool predicted = false, truth = false;
    QString text = {};  // replaces bar and percentage
  };
  void setRows(std::vector<Row> rows);
  const std::vector<Row>& rows() const { return rows_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  int nameWidth() const;
  void paintRow(QPainter& p, const Row& row, const QRectF& where, int names) const;
  void paintTag(QPainter& p, const Row& row, const QRectF& where) const;

  Form form_;
  std::vector<Row> rows_;
};

}  // namespace nw::ui
