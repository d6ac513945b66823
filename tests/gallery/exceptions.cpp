// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/exceptions.hpp"

#include <QRegularExpression>
#include <algorithm>

namespace nw::ui {
namespace {

/// Regular expressions for the screen's name and a part of the fault.
struct Exception {
  const char *screen, *fault, *reason;
};

const Exception exceptions[] = {
    // meant
    {"^lanes$", "over each other|overlap", "the card that is being dragged lies over the others"},
    {"^design-history$", "over each other|contrast",
     "the copy of a layer lies where it was made, dimmed where bypassed"},
    {".", "^(elided|contrast|cut off).* canvas <",
     "the canvas is zoomed; the inspector says the chosen layer's whole text"},
    {"^train", "^elided.*MetricChart", "an axis says the chart's title again, which stands whole above it"},
    {"^components$", "^not Chinese", "the sheet of components is for us; it is not translated"},
    {"^predict-labels|^table-targets$|^runs-elsewhere$|^queue$|^submit-wrong$|^design-text$", "^not Chinese",
     "names of classes, columns, computers and folders, and what was typed"},
    {"^design-", "^not Chinese.*(canvas <|PanelRow <|layerKind)", "names of layers, blocks and their variables"},
    {"^search-dialog$", "^not Chinese: (constant|cosine)", "values as the project file has them"},
    {"^train-waiting$", "No space left on device", "what the operating system says"},
    {"^deploy-export$", "^not Chinese: library.*C library cc", "the name of a compiler"},
    {"^preferences-computer$", "^not Chinese.*input to lanes", "the name of a kernel"},
    {"^compare$", "^not Chinese: Dropout", "the name of a layer"},
};

bool contains(const QString& text, const char* pattern) {
  return text.contains(QRegularExpression(QLatin1String(pattern)));
}

}  // namespace

QStringList withoutExceptions(const QString& screen, const QStringList& faults) {
  QStringList kept = faults;
  for (const Exception& e : exceptions)
    if (contains(screen, e.screen)) kept.removeIf([&](const QString& fault) { return contains(fault, e.fault); });
  return kept;
}

}  // namespace nw::ui
