// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernels/cuda/cudnn_names.hpp"
#include "tests/kernels/cuda/fakes/fake_cudnn_node.hpp"
#include "tests/kernels/cuda/fakes/fake_objects.hpp"
#include "tests/kernels/cuda/fakes/fake_streams.hpp"

namespace nw::cuda::fake_dnn {
namespace {

using i64 = std::int64_t;

/// A tensor of a computation: in device memory, or in temporary memory if it is virtual.
struct View {
  explicit View(const Node& tensor) {
    for (std::size_t i = 0; i < 4; ++i) {
      sizes[i] = tensor.value<i64>(dnn::tensor_sizes, i);
      strides[i] = sizes[i] == 1 ? 0 : tensor.value<i64>(dnn::tensor_strides, i);  // broadcast
    }
    const int t = tensor.value<int>(dnn::tensor_type);
    type = t == dnn::data_f16 ? 2 : t == dnn::data_bf16 ? 14 : 0;
  }
  i64 sizes[4], strides[4];
  int type;
  void* data = nullptr;
  std::vector<double> own{};
  i64 size(std::size_t i) const { return sizes[i]; }
  FakeRange range() const {
    const std::size_t last = at(sizes[0] - 1, sizes[1] - 1, sizes[2] - 1, sizes[3] - 1);
    return FakeRange::of(data, (last + 1) * (type == 0 ? 4 : 2));
  }
  std::size_t count() const { return static_cast<std::size_t>(sizes[0] * sizes[1] * sizes[2] * sizes[3]); }
  std::size_t at(i64 n, i64 c, i64 h, i64 w) const {
    return static_cast<std::size_t>(n * strides[0] + c * strides[1] + h * strides[2] + w * strides[3]);
  }
  double get(i64 n, i64 c, i64 h, i64 w) const {
    return data ? fake_load(data, type, at(n, c, h, w)) : own[at(n, c, h, w)];
  }
  void put(i64 n, i64 c, i64 h, i64 w, double v) {
    if (data)
      fake_store(data, type, at(n, c, h, w), v);
    else
      own[at(n, c, h, w)] = v;
  }
  template <class F>
  void each(F f) const {
    for (i64 n = 0; n < size(0); ++n)
      for (i64 c = 0; c < size(1); ++c)
        for (i64 h = 0; h < size(2); ++h)
          for (i64 w = 0; w < size(3); ++w) f(n, c, h, w);
  }
};

class Interpreter {
 public:
  Interpreter(const Node& arguments) : arguments_(arguments) {}
  void run(const Node& graph) {
    for (const auto& op : graph.links.at(dnn::graph_ops)) step(*op);
  }
  /// Adds what the graph reads, writes and computes.
  void describe(const Node& graph, FakeCall& call) {
    for (const auto& op : graph.links.at(dnn::graph_ops)) {
      for (const int input : {dnn::forward_x, dnn::forward_w, dnn::data_w, dnn::data_dy, dnn::filter_x, dnn::filter_dy,
                              dnn::stats_x, dnn::op_pointwise_x, dnn::op_pointwise_b})
        touches(*op, input, call.reads);
      for (const int output :
           {dnn::forward_y, dnn::data_dx, dnn::filter_dw, dnn::stats_sum, dnn::stats_squares, dnn::op_pointwise_y})
        touches(*op, output, call.writes);
      call.operations += operations(*op);
    }
  }

 private:
  void touches(const Node& op, int attribute, std::vector<FakeRange>& ranges) {
    const Node* tensor = op.link(attribute);
    if (tensor && view(tensor).data) ranges.push_back(view(tensor).range());
  }
  double operations(const Node& op) {
    static constexpr int products[][3] = {{dnn::forward_op, dnn::forward_w, dnn::forward_y},
                                          {dnn::data_op, dnn::data_w, dnn::data_dy},
                                          {dnn::filter_op, dnn::filter_dw, dnn::filter_dy}};
    for (const auto& [kind, weight, output] : products) {
      if (op.kind != kind) continue;
      const View &w = view(op.link(weight)), &y = view(op.link(output));
      return 2.0 * static_cast<double>(y.count()) * static_cast<double>(w.size(1) * w.size(2) * w.size(3));
    }
    return 0;
  }
  View& view(const Node* tensor) {
    const auto [at, is_new] = views_.try_emplace(tensor, *tensor);
    if (!is_new) return at->second;
    const i64 id = tensor->value<i64>(dnn::tensor_id);
    for (std::size_t i = 0; i * 8 < arguments_.values.at(dnn::arguments_ids).size(); ++i)
      if (arguments_.value<i64>(dnn::arguments_ids, i) == id)
        at->second.data = arguments_.value<void*>(dnn::arguments_pointers, i);
    if (tensor->value<bool>(dnn::tensor_virtual) && fake_computes()) at->second.own.resize(at->second.count());
    return at->second;
  }

  void step(const Node& op) {
    if (op.kind == dnn::forward_op)
      return convolution(op, dnn::forward_convolution, view(op.link(dnn::forward_x)), view(op.link(dnn::forward_w)),
                         view(op.link(dnn::forward_y)), 2);
    if (op.kind == dnn::data_op)
      return convolution(op, dnn::data_convolution, view(op.link(dnn::data_dx)), view(op.link(dnn::data_w)),
                         view(op.link(dnn::data_dy)), 0);
    if (op.kind == dnn::filter_op)
      return convolution(op, dnn::filter_convolution, view(op.link(dnn::filter_x)), view(op.link(dnn::filter_dw)),
                         view(op.link(dnn::filter_dy)), 1);
    if (op.kind == dnn::stats_op)
      return statistics(view(op.link(dnn::stats_x)), view(op.link(dnn::stats_sum)), view(op.link(dnn::stats_squares)));
    const View& x = view(op.link(dnn::op_pointwise_x));
    View& y = view(op.link(dnn::op_pointwise_y));
    const View* b = op.link(dnn::op_pointwise_b) ? &view(op.link(dnn::op_pointwise_b)) : nullptr;
    y.each([&](i64 n, i64 c, i64 h, i64 w) {
      const double v = x.get(n, c, h, w);
      y.put(n, c, h, w, b ? v + b->get(n, c, h, w) : std::max(v, 0.0));
    });
  }

  // x * w = y with one of them unknown: each product of two known ones is added to the third, in double, and stored at
  // the end.
  void convolution(const Node& op, int attribute, View& x, View& w, View& y, int unknown) {
    const Node& c = *op.link(attribute);
    const i64 groups = x.size(1) / w.size(1), per_group = w.size(0) / groups;
    View& target = unknown == 0 ? x : unknown == 1 ? w : y;
    View sums = target;
    sums.own.assign(target.count(), 0);
    i64 stride[2], padding[2], dilation[2];
    for (std::size_t i = 0; i < 2; ++i) {
      stride[i] = c.value<i64>(dnn::convolution_strides, i);
      padding[i] = c.value<i64>(dnn::convolution_padding_before, i);
      dilation[i] = c.value<i64>(dnn::convolution_dilations, i);
    }
    y.each([&](i64 n, i64 o, i64 oy, i64 ox) {
      for (i64 k = 0; k < w.size(1); ++k)
        for (i64 ky = 0; ky < w.size(2); ++ky)
          for (i64 kx = 0; kx < w.size(3); ++kx) {
            const i64 iy = oy * stride[0] - padding[0] + ky * dilation[0],
                      ix = ox * stride[1] - padding[1] + kx * dilation[1];
            if (iy < 0 || ix < 0 || iy >= x.size(2) || ix >= x.size(3)) continue;
            const i64 channel = o / per_group * w.size(1) + k;
            if (unknown == 0) sums.own[sums.at(n, channel, iy, ix)] += y.get(n, o, oy, ox) * w.get(o, k, ky, kx);
            if (unknown == 1) sums.own[sums.at(o, k, ky, kx)] += y.get(n, o, oy, ox) * x.get(n, channel, iy, ix);
            if (unknown == 2) sums.own[sums.at(n, o, oy, ox)] += x.get(n, channel, iy, ix) * w.get(o, k, ky, kx);
          }
    });
    target.each([&](i64 a, i64 b, i64 h, i64 v) { target.put(a, b, h, v, sums.own[sums.at(a, b, h, v)]); });
  }

  void statistics(const View& x, View& sum, View& squares) {
    std::vector<double> first(static_cast<std::size_t>(x.size(1))), second(first);
    x.each([&](i64 n, i64 c, i64 h, i64 w) {
      first[static_cast<std::size_t>(c)] += x.get(n, c, h, w);
      second[static_cast<std::size_t>(c)] += x.get(n, c, h, w) * x.get(n, c, h, w);
    });
    for (i64 c = 0; c < x.size(1); ++c) {
      sum.put(0, c, 0, 0, first[static_cast<std::size_t>(c)]);
      squares.put(0, c, 0, 0, second[static_cast<std::size_t>(c)]);
    }
  }

  const Node& arguments_;
  std::map<const Node*, View> views_;
};

}  // namespace

void run(const Node& graph, const Node& arguments) { Interpreter(arguments).run(graph); }
void describe(const Node& graph, const Node& arguments, FakeCall& call) {
  Interpreter(arguments).describe(graph, call);
}

}  // namespace nw::cuda::fake_dnn
