// SPDX-License-Identifier: GPL-3.0-or-later
// A notification across the page with one or two actions: what ended, the reason, what was saved. Never modal.
#pragma once
#include <QString>
#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;

namespace nw::ui {

struct Notice {
  QString tone;  // "ok", "warn", "error", "accent"; empty: no notification
  QString icon, title, sentence;
  // ids: "resume", "resume-cpu", "lower-rate", "predict", "adapt", "show-active", "log", "delete-for-good"
  QStringList actions;
  bool operator==(const Notice&) const = default;
};

class NoticeBar : public QWidget {
  Q_OBJECT
 public:
  explicit NoticeBar(QWidget* parent = nullptr);
  void setNotice(const Notice& notice);
  const Notice& notice() const { return notice_; }

 Q_SIGNALS:
  void action(const QString& id);

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void rebuildButtons();
  Notice notice_;
  QLabel *title_, *sentence_;
  QWidget* buttons_;
};

}  // namespace nw::ui
