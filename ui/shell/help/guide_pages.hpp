// SPDX-License-Identifier: GPL-3.0-or-later
// The user guide, which the package netwright-doc holds: the page that belongs to a place of the window, and its file.
// GUI thread.
#pragma once
#include <QString>

class QWidget;

namespace nw::ui {

/// The page for the widget that has the focus, or for the nearest one around it that has a page; "index": none has.
QString guidePageOf(const QWidget* where);
/// The page's file in this language ("en", "zh_CN"), else in English, among the documents of the system and of the user
/// and in the folder of a build; empty: it is not installed.
QString guideFile(const QString& page, const QString& language);
/// Opens the page in the browser. False: the guide is not installed.
bool openGuide(const QString& page);

}  // namespace nw::ui
