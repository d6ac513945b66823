// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDesktopServices>
#include <QObject>
#include <QString>
#include <QUrl>

namespace nw::ui {

/// Takes the addresses that the program opens.
class Browser : public QObject {
  Q_OBJECT
 public:
  Browser() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "open"); }
  ~Browser() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
  QString opened;

 public Q_SLOTS:
  void open(const QUrl& url) { opened = url.toLocalFile(); }
};

}  // namespace nw::ui
