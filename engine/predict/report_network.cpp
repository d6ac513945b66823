// SPDX-License-Identifier: Apache-2.0
// The network as an SVG drawing: a column of boxes in the order of computation, one for each node of the canvas, with
// the connections that skip boxes on the right.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/compile/compile.hpp"
#include "engine/predict/report_parts.hpp"
#include "engine/predict/report_training.hpp"

namespace nw::predicting {
namespace {

constexpr std::size_t most_boxes = 150, most_lanes = 12, longest_name = 28;
constexpr double box_left = 8, box_top = 8, box_width = 330, box_height = 38, row_pitch = 58, lane_width = 12;

/// At most `longest_name` characters of a name; a character of UTF-8 is never cut in two.
std::string shortened(const std::string& name) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < name.size(); ++i)
    if ((static_cast<unsigned char>(name[i]) & 0xC0) != 0x80 && ++characters > longest_name)
      return name.substr(0, i) + "…";
  return name;
}

/// Topological order; nodes of a cycle come last.
std::vector<NodeId> ordered(const Graph& graph) {
  std::map<NodeId, int> waiting;
  for (const auto& [id, node] : graph.nodes) waiting[id] = 0;
  for (const Connection& c : graph.connections)
    if (waiting.contains(c.from) && waiting.contains(c.to)) ++waiting[c.to];
  std::set<NodeId> ready;
  for (const auto& [id, count] : waiting)
    if (count == 0) ready.insert(id);
  std::vector<NodeId> out;
  while (!ready.empty()) {
    const NodeId id = *ready.begin();
    ready.erase(ready.begin());
    waiting.erase(id);
    out.push_back(id);
    for (const Connection& c : graph.connections)
      if (c.from == id && waiting.contains(c.to) && --waiting[c.to] == 0) ready.insert(c.to);
  }
  for (const auto& [id, count] : waiting) out.push_back(id);
  return out;
}

Target target_of(const RunDefinition& run) {
  return target_without_data(run.doc, run.channels, run.height, run.width, run.classes.size());
}

/// "16×10×10", without the batch.
std::string sizes(const Shape& shape) {
  std::string text;
  for (int i = 1; i < shape.rank(); ++i) text += (i > 1 ? "×" : "") + std::to_string(shape[i]);
  return text;
}

/// The type of a layer, or the name of a block.
std::string kind_of(const Node& node) {
  const auto block = node.attrs.find("block");
  if (node.type != "Block" || block == node.attrs.end()) return node.type;
  const auto* name = std::get_if<std::string>(&block->second);
  return name ? *name : node.type;
}

double top_of_row(std::size_t row) { return box_top + row_pitch * static_cast<double>(row); }

std::string box(const Node& node, const NodeInfo& info, std::size_t row) {
  const double y = top_of_row(row), right = box_left + box_width - 10;
  std::string s = fmt::format("<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>", box_left,
                              y, box_width, box_height);
  s += fmt::format("<text class=\"n\" x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\">{}</text>", box_left + 10,
                   y + 16, escaped(shortened(node.name)), box_left + 10, y + 31, escaped(shortened(kind_of(node))));
  s += fmt::format("<text class=\"n\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", right, y + 16,
                   sizes(info.output));
  if (info.parameters > 0)
    s += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} {}</text>", right, y + 31, info.parameters,
                     words("parameters", "tspan"));
  return s;
}

std::string arrow(double x, double y, bool down) {
  return down ? fmt::format("<path class=\"tip\" d=\"M{} {}l-4 -7h8z\"/>", x, y)
              : fmt::format("<path class=\"tip\" d=\"M{} {}l7 -4v8z\"/>", x, y);
}

/// The lanes of connections that skip boxes: connections of one lane do not overlap.
class SideLanes {
 public:
  std::size_t take(std::size_t from, std::size_t to) {
    const std::size_t low = std::min(from, to), high_end = std::max(from, to);
    for (std::size_t lane = 0; lane < ends_.size(); ++lane)
      if (ends_[lane] <= low) return ends_[lane] = high_end, lane;
    if (ends_.size() >= most_lanes) return most_lanes - 1;
    ends_.push_back(high_end);
    return ends_.size() - 1;
  }
  std::size_t count() const { return ends_.size(); }

 private:
  std::vector<std::size_t> ends_;
};

std::string connection(std::size_t from, std::size_t to, SideLanes& lanes) {
  const double middle = box_left + box_width / 2, edge = box_left + box_width;
  if (to == from + 1) {
    const double begin = top_of_row(from) + box_height, end = top_of_row(to);
    return fmt::format("<path class=\"edge\" d=\"M{} {}V{}\"/>", middle, begin, end) + arrow(middle, end, true);
  }
  const double out = edge + 14 + lane_width * static_cast<double>(lanes.take(from, to));
  const double begin = top_of_row(from) + box_height - 8, end = top_of_row(to) + 8;
  return fmt::format("<path class=\"edge\" d=\"M{} {}H{}V{}H{}\"/>", edge, begin, out, end, edge) +
         arrow(edge, end, false);
}

std::string connections(const Graph& graph, const std::map<NodeId, std::size_t>& rows, SideLanes& lanes) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (const Connection& c : graph.connections)
    if (rows.contains(c.from) && rows.contains(c.to)) all.emplace_back(rows.at(c.from), rows.at(c.to));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::string out;
  for (const auto& [from, to] : all) out += connection(from, to, lanes);
  return out;
}

}  // namespace

std::string network_drawing(const RunDefinition& run) {
  const Graph& graph = run.doc.graph();
  std::vector<NodeId> order = ordered(graph);
  if (order.empty()) return {};
  const std::size_t hidden = order.size() - std::min(order.size(), most_boxes);
  order.resize(order.size() - hidden);
  Analysis analysis = analyse(run.doc, target_of(run));
  std::map<NodeId, NodeInfo>& info = analysis.facts[""];
  std::map<NodeId, std::size_t> rows;
  std::string boxes;
  for (std::size_t row = 0; row < order.size(); ++row) {
    rows[order[row]] = row;
    boxes += box(graph.nodes.at(order[row]), info[order[row]], row);
  }
  SideLanes lanes;
  const std::string edges = connections(graph, rows, lanes);
  const double width = box_left + box_width + 24 + lane_width * static_cast<double>(lanes.count()),
               height = top_of_row(order.size() - 1) + box_height + box_top;
  const std::string rest = hidden == 0 ? "" : fmt::format("<p>{}: {}</p>", words("Layers that are not drawn"), hidden);
  return fmt::format(
      "<h2>{}</h2>\n<figure class=\"network\"><svg width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
      "role=\"img\">{}{}</svg>{}</figure>\n<p>{}: {}</p>\n",
      words("Network"), width, height, width, height, edges, boxes, rest, words("Parameters"), analysis.parameters);
}

}  // namespace nw::predicting
