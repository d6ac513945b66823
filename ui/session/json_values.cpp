// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/json_values.hpp"

#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// Null when `from` is not an object or has no such key.
const Json* find(const Json& from, const char* key) {
  if (!from.is_object()) return nullptr;
  const auto found = from.find(key);
  return found == from.end() ? nullptr : &*found;
}

QString textOf(const Json& value) {
  return value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
}

}  // namespace

QString textAt(const Json& object, const char* key) {
  const Json* value = find(object, key);
  return value ? textOf(*value) : QString();
}

QStringList textsAt(const Json& object, const char* key) {
  QStringList texts;
  if (const Json* value = find(object, key); value && value->is_array())
    for (const Json& element : *value) texts << textOf(element);
  return texts;
}

QString sentenceOf(const Json& message) {
  Text text{textAt(message, "source").toStdString(), {}};
  for (const QString& arg : textsAt(message, "args")) text.args.push_back(arg.toStdString());
  return text.empty() ? QString() : translated(text);
}

double numberAt(const Json& object, const char* key, double otherwise) {
  const Json* value = find(object, key);
  return value && value->is_number() ? value->get<double>() : otherwise;
}

bool flagAt(const Json& object, const char* key) {
  const Json* value = find(object, key);
  return value && value->is_boolean() && value->get<bool>();
}

qint64 integerAt(const Json& object, const char* key, qint64 otherwise) {
  const Json* value = find(object, key);
  return value && value->is_number_integer() ? value->get<qint64>() : otherwise;
}

}  // namespace nw::ui
