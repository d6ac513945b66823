// SPDX-License-Identifier: GPL-3.0-or-later
// The second line of a node.
#include <QHash>
#include <QLocale>
#include <algorithm>
#include <climits>
#include <functional>

#include "engine/design/opaque.hpp"
#include "ui/canvas/scene/canvas_text.hpp"
#include "ui/canvas/scene/node_text.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

/// Short forms of well-known settings; "%1" is the value. Empty: the value alone is clear.
const QHash<QString, const char*>& phrases() {
  static const QHash<QString, const char*> table = {
      {"out_channels", QT_TRANSLATE_N_NOOP("canvas", "%1 filter(s)")},
      {"out_features", QT_TRANSLATE_N_NOOP("canvas", "%1 unit(s)")},
      {"kernel_size", "%1"},
      {"stride", QT_TRANSLATE_NOOP("canvas", "stride %1")},
      {"padding", QT_TRANSLATE_NOOP("canvas", "pad %1")},
      {"dilation", QT_TRANSLATE_NOOP("canvas", "dilation %1")},
      {"groups", QT_TRANSLATE_NOOP("canvas", "groups %1")},
      {"p", "p %1"},
      {"eps", "eps %1"},
      {"momentum", QT_TRANSLATE_NOOP("canvas", "momentum %1")},
  };
  return table;
}

/// Shown even when the value is the default.
bool always(const QString& field) {
  return field == "out_channels" || field == "out_features" || field == "kernel_size" || field == "p";
}

bool pairAsOne(const Attr& value, QString* one) {
  const auto* pair = std::get_if<std::vector<std::int64_t>>(&value);
  if (!pair || pair->size() != 2 || (*pair)[0] != (*pair)[1]) return false;
  *one = QString::number((*pair)[0]);
  return true;
}

/// For the plural form; a formula has the one of many.
int countIn(const Attr& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole ? static_cast<int>(std::clamp<std::int64_t>(*whole, 0, INT_MAX)) : 2;
}

QString phrase(const Field& field, const Attr& value) {
  const QString name = QString::fromStdString(field.name);
  if (const bool* on = std::get_if<bool>(&value))
    return *on ? translated(field.label).toLower()
               : canvasText(QT_TRANSLATE_NOOP("canvas", "no %1")).arg(translated(field.label).toLower());
  QString words = attrText(value);
  if (name != "kernel_size") pairAsOne(value, &words);
  if (const char* known = phrases().value(name)) return canvasText(known, countIn(value)).arg(words);
  return translated(field.label).toLower() + ' ' + words;
}

QString dataLine(const NodeInfo* facts) {
  if (!facts || facts->output.rank() != 4) return canvasText(QT_TRANSLATE_NOOP("canvas", "from the chosen data set"));
  const Shape& s = facts->output;
  const QString size = QStringLiteral("%1 × %2").arg(s[2]).arg(s[3]);
  const QString colour =
      s[1] == 1   ? canvasText(QT_TRANSLATE_NOOP("canvas", "grey"))
      : s[1] == 3 ? canvasText(QT_TRANSLATE_NOOP("canvas", "colour"))
                  : canvasText(QT_TRANSLATE_N_NOOP("canvas", "%1 channel(s)"), static_cast<int>(s[1])).arg(s[1]);
  return size + ", " + colour;
}

QString lossLine(const NodeInfo* facts) {
  if (!facts || facts->inputs.empty() || facts->inputs[0].rank() != 2) return {};
  const auto outputs = facts->inputs[0][1];
  return outputs == 1
             ? canvasText(QT_TRANSLATE_NOOP("canvas", "1 output"))
             : canvasText(QT_TRANSLATE_N_NOOP("canvas", "%1 class(es)"), static_cast<int>(outputs)).arg(outputs);
}

QStringList parameterWords(const GraphDoc& doc, const Node& node) {
  QStringList words;
  const auto name = node.attrs.find("block");
  if (name == node.attrs.end() || !std::holds_alternative<std::string>(name->second)) return words;
  const auto block = doc.blocks().find(std::get<std::string>(name->second));
  if (block == doc.blocks().end()) return words;
  for (const BlockParameter& parameter : block->second.parameters) {
    const auto own = node.attrs.find(parameter.name);
    words << QString::fromStdString(parameter.name) + ' ' +
                 attrText(own == node.attrs.end() ? Attr(parameter.value) : own->second);
  }
  return words;
}

}  // namespace

QString attrText(const Attr& value) {
  if (const bool* v = std::get_if<bool>(&value))
    return *v ? canvasText(QT_TRANSLATE_NOOP("canvas", "on")) : canvasText(QT_TRANSLATE_NOOP("canvas", "off"));
  if (const auto* v = std::get_if<std::int64_t>(&value)) return QString::number(*v);
  if (const double* v = std::get_if<double>(&value)) return QString::number(*v, 'g', 6);
  if (const auto* v = std::get_if<std::string>(&value)) return QString::fromStdString(*v);
  QStringList parts;
  for (const std::int64_t v : std::get<std::vector<std::int64_t>>(value)) parts << QString::number(v);
  return parts.join(QStringLiteral("×"));
}

namespace {
/// Of a layer or block with weights that is trained otherwise than the rest of the network.
QStringList trainingWords(const Node& node, bool learns) {
  if (!learns || node.frozen || node.frozen_epochs == 0) return {};
  return {canvasText(QT_TRANSLATE_NOOP("canvas", "trains from epoch %1")).arg(node.frozen_epochs + 1)};
}
}  // namespace

namespace {
/// Whose operator an opaque node stands for, and of which version.
QString originLine(const Node& node) {
  const std::string domain = opaque_word(node, "domain");
  QStringList words{domain.empty() ? QStringLiteral("ONNX") : QString::fromStdString(domain)};
  const auto version = node.attrs.find("version");
  if (version != node.attrs.end() && std::holds_alternative<std::int64_t>(version->second))
    words << canvasText(QT_TRANSLATE_NOOP("canvas", "version %1")).arg(attrText(version->second));
  return words.join(QStringLiteral(" · "));
}
}  // namespace

QString settingsLine(const GraphDoc& doc, const Node& node, const NodeInfo* facts) {
  const LayerType* layer = find_layer(node.type);
  if (node.type == "Block") return (trainingWords(node, true) + parameterWords(doc, node)).join(QStringLiteral(" · "));
  if (node.type == opaque_type) return originLine(node);
  if (!layer)
    return node.type.starts_with("Block") ? QString() : canvasText(QT_TRANSLATE_NOOP("canvas", "unknown layer"));
  QStringList words = trainingWords(node, layer->weights != nullptr);
  if (layer->group == "Input") words << dataLine(facts);
  if (layer->loss && !lossLine(facts).isEmpty()) words << lossLine(facts);
  for (const Field& field : layer->fields) {
    const auto own = node.attrs.find(field.name);
    const Attr& value = own == node.attrs.end() ? field.otherwise : own->second;
    if (layer->group != "Input" && (always(QString::fromStdString(field.name)) || value != field.otherwise))
      words << phrase(field, value);
  }
  return words.join(QStringLiteral(" · "));
}

}  // namespace nw::ui
