// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of classes with their names, in at most two lines; the classes that do not fit are counted. GUI thread.
#pragma once
#include <QStringList>
#include <QVector>
#include <QWidget>

namespace nw::ui {

class ClassLegend : public QWidget {
  Q_OBJECT
 public:
  struct Entry {
    int label;  // determines the colour, see categoryColour()
    QString name;
    bool operator==(const Entry&) const = default;
  };
  explicit ClassLegend(QWidget* parent = nullptr);
  /// Hidden while there are none.
  void setEntries(const QVector<Entry>& entries);
  /// The entries that have room; the others are counted behind them.
  int shown() const { return static_cast<int>(places().size()); }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  QString more(qsizetype count) const;
  QVector<QRect> places() const;
  QVector<Entry> entries_;
};

}  // namespace nw::ui
