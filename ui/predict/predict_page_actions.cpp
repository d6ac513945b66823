// SPDX-License-Identifier: GPL-3.0-or-later
// Actions of the Predict page: exclude, export, copy, measure; its part of the status bar.
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>

#include "ui/predict/metrics/csv_export.hpp"
#include "ui/predict/network_export.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/predict/speed_dialog.hpp"
#include "ui/session/background.hpp"
#include "ui/session/exclusion.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/severity_icon.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

void PredictPage::refreshExclusion() {
  const bool same = readsSameData(session_, source_.network().data);
  sample_->setExclusion(same && !sample_->name().isEmpty(), isExcluded(session_, sample_->name()),
                        same ? QString() : tr("The open project uses a different data set from this run"));
}

void PredictPage::toggleExcluded() {
  const QString name = sample_->name();
  if (name.isEmpty() || !readsSameData(session_, source_.network().data)) return;
  if (isExcluded(session_, name))
    includeSamples(session_, {name});
  else
    excludeSamples(session_, {name});
}

void PredictPage::measureSpeed() {
  QStringList devices;
  for (const DeviceInfo& d : session_.devices())
    if (d.usable) devices << QString::fromStdString(d.name);
  auto* dialog = new SpeedDialog(source_.run(), source_.checkpoint(),
                                 devices.isEmpty() ? QStringList(QStringLiteral("cpu")) : devices, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void PredictPage::exportAs(const QString& what) {
  const auto view = source_.view();
  if (!view) return;
  if (networks_->save(what, source_.run(), source_.checkpoint(), source_.network().step)) return;
  const bool page = what == QLatin1String("report");
  const QString part = source_.files().isEmpty() ? source_.split() : QStringLiteral("images");
  const QString name = QStringLiteral("%1-%2%3.%4")
                           .arg(QFileInfo(source_.run()).fileName(), part,
                                what == QLatin1String("metrics") ? QStringLiteral("-classes") : QString(),
                                page ? QStringLiteral("html") : QStringLiteral("csv"));
  const QString path = QFileDialog::getSaveFileName(this, page ? tr("Save the report") : tr("Export predictions"), name,
                                                    page ? tr("Web page (*.html)") : tr("CSV (*.csv)"));
  if (path.isEmpty()) return;
  if (what == QLatin1String("predictions"))
    return saveExport(
        path, [view, files = source_.files()]() -> Result<std::string> { return predictions_csv(*view, files); });
  source_.report(this, page ? "html" : "csv",
                 [this, path](const Result<std::string>& text) { saveExport(path, [text] { return text; }); });
}

/// Creates and saves the file on a worker thread, then shows its path or the error.
void PredictPage::saveExport(const QString& path, std::function<Result<std::string>()> make) {
  const auto save = [make = std::move(make), path] {
    const Result<std::string> text = make();
    if (!text) return translated(text.error().what);
    const Status saved = save_file(fs::path(path.toStdString()), *text);
    return saved ? QString() : translated(saved.error().what);
  };
  inBackground(this, save, [this, path](const QString& error) {
    if (error.isEmpty())
      Q_EMIT session_.message(tr("Exported to %1.").arg(path), 0, fileActions(path));
    else
      Q_EMIT session_.message(error, 2);
  });
}

void PredictPage::copyImage() {
  if (!sample_->image().isNull()) QApplication::clipboard()->setImage(sample_->image());
}

QWidget* PredictPage::statusWidget() {
  if (status_ != nullptr) return status_;
  status_ = new QWidget;
  auto* row = new QHBoxLayout(status_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  const auto words = [](const QString& text, int level) {
    return makeLabel(text, level, static_cast<int>(TextRole::secondary));
  };
  row->addWidget(new PlainIcon(QStringLiteral("check"), &Theme::ok));
  row->addWidget(words(tr("Same preprocessing as in training"), 2));
  row->addStretch(1);
  row->addWidget(makeElidedLabel(
      tr("Arrow keys move, X excludes, Ctrl+C copies the image, Ctrl+V predicts the image on the clipboard"), 3,
      static_cast<int>(TextRole::secondary)));
  return status_;
}

}  // namespace nw::ui
