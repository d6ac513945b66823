// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/opaque_nodes.hpp"

#include <algorithm>

#include "engine/exchange/kept_operators.hpp"

namespace nw::exchange {
namespace {

constexpr std::size_t most_listed = 200;

std::string word(const AttrMap& attrs, const char* name) {
  const auto it = attrs.find(name);
  const auto* value = it == attrs.end() ? nullptr : std::get_if<std::string>(&it->second);
  return value ? *value : std::string();
}

std::int64_t version_of(const onnx::Model& model, const std::string& domain) {
  if (domain.empty()) return model.opset();
  const auto it = model.opsets.find(domain);
  return it == model.opsets.end() ? 0 : it->second;
}

/// The node stands for the whole operator, and for values that lie as ours do.
bool is_whole(const NodeReader& r, const OpaquePart& part) {
  const onnx::Node& n = r.node();
  bool whole = part.known.rank() > 0 && part.output == 0;
  std::size_t values = 0;
  for (std::size_t i = 0; i < n.inputs.size(); ++i) {
    if (!r.value(i)) continue;
    ++values;
    whole = whole && r.value(i)->form == Form::plain;
  }
  for (std::size_t o = 1; o < n.outputs.size(); ++o) whole = whole && !r.is_read(o);
  for (const auto& [name, value] : n.attributes) whole = whole && !std::holds_alternative<onnx::Subgraph>(value);
  return whole && values == part.connected;
}

}  // namespace

std::string kept_of(const NodeReader& r, const onnx::Model& model, const OpaquePart& part, std::uint64_t& bytes) {
  if (!is_whole(r, part)) return {};
  std::map<std::string, const onnx::Tensor*> constants;
  for (std::size_t i = 0; i < r.node().inputs.size(); ++i)
    if (const onnx::Tensor* t = r.constant(i); t && constants.emplace(r.node().inputs[i], t).second)
      bytes += t->bytes.size();
  if (bytes > most_kept_bytes) return {};
  return kept_operator(r.node(), model, [&](const std::string& name) {
    const auto it = constants.find(name);
    return it == constants.end() ? nullptr : it->second;
  });
}

Text foreign(const onnx::Node& n) {
  return text(NW_TR("it belongs to {0}, not to ONNX, and has no published meaning"), n.domain);
}

std::string label_of(const onnx::Node& n) {
  return n.name.empty() ? n.op + " (\"" + (n.outputs.empty() ? "" : n.outputs.front()) + "\")" : n.name;
}

Error refusal(const std::vector<Refused>& refused, const std::string& where, std::size_t operators) {
  std::string all;
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [n, why] : refused) by_reason[n->op + ": " + why.str()].push_back(label_of(*n));
  std::size_t reasons = 0;
  for (const auto& [reason, names] : by_reason) {
    if (++reasons > most_listed) {
      all += "; …";
      break;
    }
    all += all.empty() ? "" : "; ";
    all += reason + " (";
    for (std::size_t i = 0; i < names.size() && i < most_listed; ++i) all += (i ? ", " : "") + names[i];
    all += names.size() > most_listed ? fmt::format(" and {} more)", names.size() - most_listed) : ")";
  }
  return fail(Errc::bad_input, NW_TR("{0} holds {1} operators that no layer here is made of, of {2}: {3}"), where,
              refused.size(), operators, all);
}

KnownSizes::KnownSizes(const onnx::Model& model) {
  for (const auto* list : {&model.values, &model.outputs})
    for (const onnx::ValueInfo& v : *list)
      if (v.dims) by_name_.emplace(v.name, &v);
}

Shape KnownSizes::of(const std::string& value, bool channels_last) const {
  const auto it = by_name_.find(value);
  if (it == by_name_.end()) return {};
  const onnx::Dims& dims = *it->second->dims;
  if (dims.size() < 2 || dims.size() > 4) return {};
  std::vector<std::int64_t> sizes{1};
  for (std::size_t i = 1; i < dims.size(); ++i) {
    if (dims[i] < 1 || dims[i] > largest_opaque_size) return {};
    sizes.push_back(dims[i]);
  }
  if (channels_last && sizes.size() == 4) std::rotate(sizes.begin() + 1, sizes.begin() + 3, sizes.end());
  return Shape(sizes);
}

Ref output_of_opaque(int made, const Shape& known, const Ref* first) {
  Ref ref{.layer = made};
  if (!first || first->form == Form::scaled) return ref;
  if (known.rank() == 0) {
    ref.form = first->form;
    ref.dims = first->dims;
  } else if (first->form == Form::nhwc && known.rank() == 4) {
    ref.form = Form::nhwc;
  }
  return ref;
}

AttrMap opaque_of(const onnx::Node& n, std::size_t output, const Text& why, const onnx::Model& model,
                  const Shape& known) {
  OpaqueOperator o{.name = n.op,
                   .domain = n.domain,
                   .version = version_of(model, n.domain),
                   .inputs = std::ssize(n.inputs),
                   .output = static_cast<std::int64_t>(output),
                   .out = {},
                   .reason = why};
  for (int i = 1; i < known.rank(); ++i) o.out.push_back(known[i]);
  return opaque_attributes(o);
}

std::vector<OpaqueGroup> opaque_groups(const std::vector<const BuiltLayer*>& layers) {
  std::vector<OpaqueGroup> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> known;
  for (const BuiltLayer* l : layers) {
    if (l->type->name != opaque_type) continue;
    const std::string name = word(l->attrs, "operator"), domain = word(l->attrs, "domain"),
                      reason = word(l->attrs, "reason");
    const auto [it, added] = known.emplace(std::tuple(name, domain, reason), groups.size());
    if (added) groups.push_back({name, domain, sentence_from(reason), 0});
    ++groups[it->second].count;
  }
  return groups;
}

}  // namespace nw::exchange
