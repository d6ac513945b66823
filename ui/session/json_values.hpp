// SPDX-License-Identifier: GPL-3.0-or-later
// Values of a JSON object that another process sent: a missing value or one of another type gives the fallback.
#pragma once
#include <QStringList>

#include "engine/core/json.hpp"

namespace nw::ui {

QString textAt(const Json& object, const char* key);
/// One text for each element of the list; empty for an element that is no text.
QStringList textsAt(const Json& object, const char* key);
/// The sentence of {"source": template, "args": [texts]} in the window's language; empty: `message` is no such object.
QString sentenceOf(const Json& message);
double numberAt(const Json& object, const char* key, double otherwise = 0);
bool flagAt(const Json& object, const char* key);
qint64 integerAt(const Json& object, const char* key, qint64 otherwise = 0);

}  // namespace nw::ui
