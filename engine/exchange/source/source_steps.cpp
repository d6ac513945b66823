// SPDX-License-Identifier: Apache-2.0
// The lines of a function: variables of values, calls, expressions.
#include <algorithm>

#include "engine/exchange/source/python_text.hpp"
#include "engine/exchange/source/source_tree.hpp"

namespace nw::exchange {
namespace {

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

}  // namespace

std::string_view title_of(SourceLanguage language) {
  switch (language) {
    case SourceLanguage::pytorch:
      return "PyTorch";
    case SourceLanguage::keras:
      return "Keras";
  }
  return "";
}

LayerSource made_by(std::string maker) {
  return LayerSource{.maker = std::move(maker), .arguments = {}, .helpers = {}};
}
LayerSource expression(std::string pattern, std::string separator) {
  return LayerSource{
      .maker = "", .arguments = {}, .apply = std::move(pattern), .separator = std::move(separator), .helpers = {}};
}
LayerSource own_class(const std::string& name) { return made_by(name).needs(name); }

const LayerRecord* layer_record(SourceLanguage language, std::string_view layer) {
  const auto all = layer_records(language);
  const auto it = std::find_if(all.begin(), all.end(), [&](const LayerRecord& r) { return r.layer == layer; });
  return it == all.end() ? nullptr : &*it;
}

PythonCode call_code(const LayerSource& call, const std::string& extra) {
  PythonCode out{call.maker + "(", {}, ")"};
  for (const SourceArgument& a : call.arguments)
    out.parts.push_back(code(a.positional ? a.text : a.name + "=" + a.text));
  if (!extra.empty()) out.parts.push_back(code(extra));
  return out;
}

std::string applied_text(const LayerSource& call, const std::string& self, const std::vector<std::string>& inputs) {
  std::string out = call.apply, all;
  for (std::size_t i = 0; i < inputs.size(); ++i) all += (i > 0 ? call.separator : "") + inputs[i];
  replace_all(out, "{all}", all);
  if (!inputs.empty()) replace_all(out, "{0}", inputs.front());
  replace_all(out, "{self}", self);
  return out;
}

std::vector<std::string> variables_of(const std::vector<SourceStep>& steps, int inputs, const std::vector<int>& outputs,
                                      std::set<std::string> reserved) {
  constexpr int argument = -1;
  std::map<int, int> made{}, first{}, last{};  // value -> step
  for (int i = 0; i < inputs; ++i) made[i] = argument;
  for (int s = 0; s < static_cast<int>(steps.size()); ++s) {
    const SourceStep& step = steps[static_cast<std::size_t>(s)];
    for (const int v : step.outputs) made[v] = s;
    for (const int v : step.inputs) first.try_emplace(v, s), last[v] = s;
  }
  for (const int v : outputs)
    first.try_emplace(v, static_cast<int>(steps.size())), last[v] = static_cast<int>(steps.size());
  const auto passes = [&](int v) {  // only the next step reads it
    return last.contains(v) && first[v] == last[v] && last[v] == made[v] + 1;
  };
  reserved.insert("x");
  PythonNames names(std::move(reserved));
  const int values = made.empty() ? 0 : made.rbegin()->first + 1;
  std::vector<std::string> out(static_cast<std::size_t>(values));
  for (const auto& [v, step] : made) {
    const bool alone = step == argument ? inputs == 1 : steps[static_cast<std::size_t>(step)].outputs.size() == 1;
    const std::string hint = step == argument ? "inputs" : steps[static_cast<std::size_t>(step)].hint;
    out[static_cast<std::size_t>(v)] = alone && passes(v) ? "x" : names.variable(hint, "value");
  }
  return out;
}

}  // namespace nw::exchange
