// SPDX-License-Identifier: GPL-3.0-or-later
// "Healthy", "2 findings": how a run is, as a button that opens what the training doctor found. GUI thread.
#pragma once
#include <QAbstractButton>

namespace nw::ui {

class HealthPill : public QAbstractButton {
  Q_OBJECT
 public:
  explicit HealthPill(QWidget* parent = nullptr);
  /// Hidden while the text is empty. `tone`: of a severity, "ok", "warn", "error".
  void say(const QString& text, const QString& tone);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  QString tone_;
};

}  // namespace nw::ui
