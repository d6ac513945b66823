// SPDX-License-Identifier: GPL-3.0-or-later
// Named values in one line, as in a status bar: name muted, value bold. Values that do not fit are left out from the
// right.
#pragma once
#include <QPair>
#include <QString>
#include <QVector>
#include <QWidget>

namespace nw::ui {

class InfoLine : public QWidget {
  Q_OBJECT
 public:
  using Facts = QVector<QPair<QString, QString>>;  // an empty value: a sentence
  explicit InfoLine(QWidget* parent = nullptr);
  void setFacts(const Facts& facts);
  const Facts& facts() const { return facts_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {40, 20}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  Facts facts_;
};

}  // namespace nw::ui
