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
    {"^lanes$", "over each other|overlap", "the card that is being dragged lies over the others"},
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
