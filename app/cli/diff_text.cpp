// SPDX-License-Identifier: Apache-2.0
#include "app/cli/diff_text.hpp"

#include "app/cli/cli.hpp"

namespace nw::cli {
namespace {

Json json_of(const std::vector<FieldChange>& fields) {
  Json list = Json::array();
  for (const FieldChange& f : fields) list.push_back({{"field", f.field}, {"before", f.before}, {"after", f.after}});
  return list;
}

}  // namespace

Json diff_json(const GraphDiff& d) {
  Json nodes = Json::array(), wires = Json::array();
  for (const NodeChange& n : d.nodes)
    nodes.push_back({{"change", name_of(n.kind)},
                     {"scope", n.scope},
                     {"name", n.name},
                     {"type", n.type},
                     {"fields", json_of(n.fields)}});
  for (const ConnectionChange& w : d.wires)
    wires.push_back({{"change", name_of(w.kind)},
                     {"scope", w.scope},
                     {"from", w.from},
                     {"from_port", w.from_port},
                     {"to", w.to},
                     {"to_port", w.to_port}});
  return {{"schema", 1},          {"same", d.empty()},       {"layers", nodes},
          {"connections", wires}, {"data", json_of(d.data)}, {"settings", json_of(d.settings)}};
}

namespace {

char sign(ChangeKind kind) { return kind == ChangeKind::added ? '+' : kind == ChangeKind::removed ? '-' : '~'; }
std::string inside(const std::string& scope, const std::string& name) {
  return scope.empty() ? name : name.empty() ? scope : scope + "/" + name;
}

void print_fields(const std::vector<FieldChange>& fields, const std::string& before_name) {
  for (const FieldChange& f : fields)
    print(fmt::format("{}{}: {} -> {}", before_name, f.field, f.before.empty() ? "(none)" : f.before,
                      f.after.empty() ? "(none)" : f.after));
}

}  // namespace

void print_diff(const GraphDiff& d) {
  if (d.empty()) return print("no difference");
  for (const NodeChange& n : d.nodes) {
    print(fmt::format("{} {} {}", sign(n.kind), n.type, inside(n.scope, n.name)));
    print_fields(n.fields, "    ");
  }
  for (const ConnectionChange& w : d.wires)
    print(fmt::format("{} {} -> {}", sign(w.kind), inside(w.scope, w.from), inside(w.scope, w.to)));
  print_fields(d.data, "~ data ");
  print_fields(d.settings, "~ training ");
}

}  // namespace nw::cli
