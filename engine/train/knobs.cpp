// SPDX-License-Identifier: Apache-2.0
#include "engine/train/knobs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "engine/compile/compile.hpp"
#include "engine/design/layer_type.hpp"
#include "engine/design/project_file.hpp"
#include "kernels/optimizer.hpp"

namespace nw {
namespace {

constexpr std::array<std::string_view, 6> of_every_run = {"l1",         "l2",         "clip_norm",
                                                          "clip_value", "accumulate", "augment_strength"};

/// The same document with other settings, which are read as those of a file are.
Result<GraphDoc> with_json(const GraphDoc& doc, const std::string& name, Json value) {
  Json all = to_json(doc.settings());
  if (all.contains(name) && all[name].is_boolean() && value.is_number()) value = value.get<double>() != 0;
  if (all.contains(name) && all[name].is_number_integer() && value.is_number_float() &&
      value.get<double>() == static_cast<double>(static_cast<std::int64_t>(value.get<double>())))
    value = static_cast<std::int64_t>(value.get<double>());
  all[name] = std::move(value);
  auto settings = settings_from_json(all, "The setting");
  if (!settings) return Error{Errc::usage, settings.error().what};
  GraphDoc changed = doc;
  NW_ASSIGN(const Edit undo, changed.apply({PutSettings{*settings}}));
  (void)undo;
  return changed;
}

Result<GraphDoc> with_frozen(const GraphDoc& doc, std::string_view layer, bool frozen) {
  for (const auto& [id, node] : doc.graph().nodes) {
    if (node.name != layer) continue;
    Node changed = node;
    changed.frozen = frozen;
    if (!frozen) changed.frozen_epochs = 0;
    GraphDoc out = doc;
    NW_ASSIGN(const Edit undo, out.apply({PutNode{"", id, std::move(changed)}}));
    (void)undo;
    return out;
  }
  return fail(Errc::usage, NW_TR("the network has no layer \"{0}\""), layer);
}

/// The document with another value of a field of its loss; nullopt: the loss has no such field.
std::optional<Result<GraphDoc>> with_loss_field(const GraphDoc& doc, const std::string& name, const Json& value) {
  for (const auto& [id, node] : doc.graph().nodes) {
    const LayerType* type = find_layer(node.type);
    if (!type || !type->loss) continue;
    const auto field =
        std::find_if(type->fields.begin(), type->fields.end(), [&](const Field& f) { return f.name == name; });
    if (field == type->fields.end()) continue;
    const bool words = field->kind == Field::Kind::text;
    const Attr attr = words ? Attr(value.is_string() ? value.get<std::string>() : value.dump())
                            : Attr(value.is_number() ? value.get<double>() : std::nan(""));
    if (words && field->refusal)
      if (Text why = field->refusal(std::get<std::string>(attr)); !why.empty())
        return Result<GraphDoc>(Error{Errc::usage, std::move(why)});
    if (!in_range(*field, attr))
      return Result<GraphDoc>(fail(Errc::usage, NW_TR("{0} is between {1} and {2}"), name, field->lo, field->hi));
    GraphDoc changed = doc;
    if (auto undo = changed.apply(set_attr(doc, "", id, name, attr)); !undo) return Result<GraphDoc>(undo.error());
    return Result<GraphDoc>(std::move(changed));
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> knob_names(const GraphDoc& doc) {
  std::vector<std::string> names(of_every_run.begin(), of_every_run.end());
  if (const Optimizer* o = find_optimizer(doc.settings().optimizer.name()))
    for (const OptimizerField& f : o->fields) names.emplace_back(f.name);
  if (doc.settings().ema_decay > 0) names.emplace_back("ema_decay");
  for (const auto& [id, node] : doc.graph().nodes) names.push_back(std::string(frozen_knob) + node.name);
  return names;
}

Status can_be_trained(const GraphDoc& doc, const DataFacts& facts) {
  const Analysis a = analyse(doc, {.data = facts});
  for (const Problem& p : a.problems)
    if (p.severity == Severity::error) return Error{Errc::usage, p.what};
  return {};
}

Result<GraphDoc> with_knob(const GraphDoc& doc, std::string_view name, double value) {
  const std::vector<std::string> names = knob_names(doc);
  if (std::find(names.begin(), names.end(), name) == names.end())
    return fail(Errc::usage, NW_TR("\"{0}\" is no setting that can be changed while this run trains"),
                std::string(name).substr(0, 80));
  if (name == "ema_decay" && !(value > 0))
    return fail(Errc::usage, NW_TR("the average of the weights cannot be switched off while a run trains"));
  return name.starts_with(frozen_knob) ? with_frozen(doc, name.substr(frozen_knob.size()), value != 0)
                                       : with_json(doc, std::string(name), value);
}

Result<GraphDoc> with_setting(const GraphDoc& doc, std::string_view text) {
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos || at == 0)
    return fail(Errc::usage, NW_TR("\"{0}\" is not of the form NAME=VALUE"), std::string(text).substr(0, 200));
  const std::string name(text.substr(0, at)), word(text.substr(at + 1));
  Json value = Json::parse(word, nullptr, false);
  if (value.is_discarded()) value = word;
  if (name.starts_with(frozen_knob))
    return with_frozen(doc, std::string_view(name).substr(frozen_knob.size()),
                       value.is_number() ? value.get<double>() != 0 : value.is_boolean() && value.get<bool>());
  if (const Json known = known_settings(doc.settings()); !known.contains(name)) {
    if (auto changed = with_loss_field(doc, name, value)) return std::move(*changed);
    return fail(Errc::usage, NW_TR("there is no training setting \"{0}\""), name.substr(0, 80));
  }
  return with_json(doc, name, std::move(value));
}

}  // namespace nw
