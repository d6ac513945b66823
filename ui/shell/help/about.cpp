// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/about.hpp"

#include <QFile>
#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QVBoxLayout>

#include "engine/core/version.hpp"
#include "ui/shell/welcome/welcome_side.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

struct Work {
  const char *name, *licence, *use;
};
const Work works[] = {
    {"Qt 6", "LGPL-3.0", QT_TRANSLATE_NOOP("About", "window and controls")},
    {"QCustomPlot 2.1", "GPL-3.0-or-later", QT_TRANSLATE_NOOP("About", "charts")},
    {"OpenCV 4", "Apache-2.0", QT_TRANSLATE_NOOP("About", "decodes images, in a separate process")},
    {"libjpeg-turbo, giflib", "IJG, MIT", QT_TRANSLATE_NOOP("About", "photos in these formats, in the same process")},
    {"libarchive", "BSD-2-Clause", QT_TRANSLATE_NOOP("About", "photos inside archives")},
    {"libcurl", "curl", QT_TRANSLATE_NOOP("About", "downloads of data sets")},
    {"nlohmann/json", "MIT", QT_TRANSLATE_NOOP("About", "project files and events")},
    {"Protocol Buffers", "BSD-3-Clause", QT_TRANSLATE_NOOP("About", "networks of other programs (ONNX)")},
    {"{fmt}", "MIT", QT_TRANSLATE_NOOP("About", "text formatting")},
    {"CLI11", "BSD-3-Clause", QT_TRANSLATE_NOOP("About", "command line")},
    {"xxHash", "BSD-2-Clause", QT_TRANSLATE_NOOP("About", "finding damaged files")},
    {"zlib", "Zlib", QT_TRANSLATE_NOOP("About", "compressed data sets")},
    {"Inter", "OFL-1.1", QT_TRANSLATE_NOOP("About", "font with tabular digits, renamed NwSans")},
    {"JetBrains Mono", "OFL-1.1", QT_TRANSLATE_NOOP("About", "shapes and paths")},
    {"Noto Sans CJK", "OFL-1.1", QT_TRANSLATE_NOOP("About", "Chinese letters")},
};

QWidget* licences() {
  auto* page = new QWidget;
  auto* grid = new QGridLayout(page);
  grid->setContentsMargins(space::xxl, space::l, space::xxl, space::l);
  grid->setHorizontalSpacing(space::xl);
  int row = 0;
  for (const Work& work : works) {
    grid->addWidget(makeLabel(QLatin1String(work.name), 1, static_cast<int>(TextRole::button)), row, 0);
    grid->addWidget(makeLabel(QCoreApplication::translate("About", work.use), 2), row, 1);
    grid->addWidget(makeLabel(QLatin1String(work.licence), 3), row, 2);
    ++row;
  }
  grid->setColumnStretch(1, 1);
  grid->setRowStretch(row, 1);
  return page;
}

QWidget* fontLicence() {
  auto* text = new QPlainTextEdit;
  QFile file(QStringLiteral(":/fonts/LICENCE-Inter.txt"));
  if (file.open(QIODevice::ReadOnly)) text->setPlainText(QString::fromUtf8(file.readAll()));
  text->setReadOnly(true);
  text->setFrameShape(QFrame::NoFrame);
  text->setFont(ui::font(TextRole::mono));
  return text;
}

}  // namespace

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("About Netwright"));
  resize(640, 560);
  auto* head = new QWidget(this);
  auto* top = new QVBoxLayout(head);
  top->setContentsMargins(space::m, space::xl, space::xxl, space::s);
  top->addWidget(new Brand(head));
  const auto line = [&](const QString& text, int level) {
    QLabel* label = makeLabel(text, level);
    label->setWordWrap(true);
    label->setContentsMargins(12, 0, 0, 0);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    top->addWidget(label);
  };
  line(tr("Version %1").arg(QString::fromStdString(version())), 1);
  line(tr("The window is free software under the GNU General Public License, version 3 or later. The engine, the "
          "kernels and the "
          "command line are free software under the Apache License 2.0. There is no warranty."),
       2);
  auto* tabs = new QTabWidget(this);
  tabs->setDocumentMode(true);
  tabs->addTab(licences(), tr("Built with"));
  tabs->addTab(fontLicence(), tr("Font licence"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(head);
  column->addWidget(tabs, 1);
}

void showAbout(QWidget* parent) {
  auto* dialog = new AboutDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

}  // namespace nw::ui
