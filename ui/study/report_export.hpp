// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a run or a study (engine/predict/run_report.hpp) as an HTML file or as a PDF. GUI thread.
#pragma once
#include <QByteArray>
#include <QString>
#include <QTextDocument>
#include <memory>

#include "engine/core/files.hpp"

class QWidget;

namespace nw::ui {

class Session;

/// The page in one language as a document that can be printed; its drawings are pictures.
std::unique_ptr<QTextDocument> reportDocument(const QString& html, bool chinese);
/// A4 with page numbers.
QByteArray reportPdf(const QString& html, bool chinese);
/// Asks for a file, .html or .pdf, and writes the report in the window's language (the HTML page holds both).
void saveReport(Session& session, const fs::path& folder, QWidget* parent);

}  // namespace nw::ui
