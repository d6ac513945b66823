// SPDX-License-Identifier: Apache-2.0
// cuDNN's backend API as an interpreter: descriptors store their attributes, a plan executes its graph's operations in
// double. Engine 6 must be compiled first. Of the others 4 and, for floats, 5 have no tensor cores; for 16-bit tensors
// 5 has, and 7 rounds floats for them. For floats 9 is an algorithm of Winograd. Fused graphs may be rejected.
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "kernels/cuda/cudnn_names.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"
#include "tests/kernels/cuda/fakes/fake_objects.hpp"
#include "tests/kernels/cuda/fakes/fake_streams.hpp"

namespace nw::cuda {
namespace {

using i64 = std::int64_t;

/// As in the library, a descriptor keeps the descriptors that it refers to alive.
struct Node {
  int kind;
  std::map<int, std::vector<std::byte>> values{};
  std::map<int, std::vector<std::shared_ptr<Node>>> links{};
  template <class T>
  T value(int attribute, std::size_t i = 0) const {
    T v{};
    const auto it = values.find(attribute);
    if (it != values.end() && it->second.size() >= (i + 1) * sizeof v)
      std::memcpy(&v, it->second.data() + i * sizeof v, sizeof v);
    return v;
  }
  std::string words(int attribute) const {
    const auto it = values.find(attribute);
    return it == values.end() ? "" : std::string(reinterpret_cast<const char*>(it->second.data()), it->second.size());
  }
  Node* link(int attribute) const { return links.count(attribute) ? links.at(attribute).at(0).get() : nullptr; }
};
using Handle = std::shared_ptr<Node>;
Handle& node(const void* raw) { return *static_cast<Handle*>(const_cast<void*>(raw)); }

std::size_t size_of_type(int type) {
  if (type == dnn::char_type) return 1;
  if (type == dnn::boolean_type) return sizeof(bool);
  return type == dnn::int64_type || type == dnn::pointer_type || type == dnn::handle_type ? 8 : 4;
}

std::atomic<int> fake_searches{0}, compiled{0};

int make(int kind, void** raw) {
  if (const int status = fake_response("make")) return status;
  ++fake_objects;
  return *raw = new Handle(std::make_shared<Node>(Node{kind})), 0;
}
int set(void* raw, int attribute, int type, i64 count, const void* values) {
  if (const int status = fake_response("set")) return status;
  if (type == dnn::descriptor_type) {
    auto& links = node(raw)->links[attribute];
    links.clear();
    for (i64 i = 0; i < count; ++i) links.push_back(node(static_cast<void* const*>(values)[i]));
    return 0;
  }
  const auto* bytes = static_cast<const std::byte*>(values);
  node(raw)->values[attribute].assign(bytes, bytes + static_cast<std::size_t>(count) * size_of_type(type));
  return 0;
}

const char* name_of(const Node& op) {
  switch (op.kind) {
    case dnn::forward_op:
      return "forward";
    case dnn::data_op:
      return "input_gradient";
    case dnn::filter_op:
      return "filter_gradient";
    case dnn::stats_op:
      return "statistics";
    default:
      break;
  }
  const int mode = op.link(dnn::op_pointwise)->value<int>(dnn::pointwise_mode);
  return mode == dnn::pointwise_add ? "add" : mode == dnn::pointwise_relu ? "relu" : "pointwise";
}
std::string told(const Node& graph) {
  std::string s;
  for (const auto& op : graph.links.at(dnn::graph_ops)) s += (s.empty() ? "" : "+") + std::string(name_of(*op));
  return s;
}
// The serialized plans, which are all that another process would have.
std::map<std::string, Handle>& in_words = *new std::map<std::string, Handle>;
std::mutex words_mutex;
Handle graph_of(const Node& plan) {
  if (const Node* config = plan.link(dnn::plan_config)) return config->links.at(dnn::heuristics_graph).at(0);
  const std::scoped_lock lock(words_mutex);
  const auto at = in_words.find(plan.words(dnn::plan_json));
  return at == in_words.end() ? nullptr : at->second;
}

// The library itself converts 16-bit tensors with an odd number of channels, which needs workspace memory.
i64 workspace_of(const Node& plan) {
  const Node& op = *graph_of(plan)->links.at(dnn::graph_ops)[0];
  const Node* x = op.kind == dnn::forward_op  ? op.link(dnn::forward_x)
                  : op.kind == dnn::filter_op ? op.link(dnn::filter_x)
                                              : nullptr;
  return x && x->value<int>(dnn::tensor_type) != dnn::data_f32 && x->value<i64>(dnn::tensor_sizes, 1) % 8 != 0 ? 1024
                                                                                                               : 256;
}

bool has_halves(const Node& graph) {
  const Node& op = *graph.links.at(dnn::graph_ops)[0];
  for (const int operand : {dnn::forward_x, dnn::data_dy, dnn::filter_x})
    if (const Node* x = op.link(operand)) return x->value<int>(dnn::tensor_type) != dnn::data_f32;
  return false;
}
// In the order of the heuristics: the engine that must be compiled comes first.
std::vector<i64> engines_of(const Node& graph) {
  std::vector<i64> alike;
  for (const auto& [engine, ms] : fake_engines()) alike.push_back(engine);
  if (!alike.empty()) return alike;
  return has_halves(graph) ? std::vector<i64>{6, 4, 5} : std::vector<i64>{6, 9, 5, 7};
}
constexpr i64 compiled_engine = 6;
bool lacks_notes(const Node& graph) { return fake_sums_without_notes() && told(graph).ends_with("statistics"); }
std::vector<int> notes_of(const Node& engine) {
  const i64 index = engine.value<i64>(dnn::engine_index);
  const Node& graph = *engine.links.at(dnn::heuristics_graph).at(0);
  if (index != compiled_engine && lacks_notes(graph)) return {};
  if (has_halves(graph))
    return index == 4 || fake_refused() == "tensor cores" ? std::vector<int>{}
                                                          : std::vector<int>{dnn::note_tensor_core};
  if (index == 9) return {dnn::note_winograd_13x13};
  return index == 7 ? std::vector<int>{dnn::note_tensor_core, dnn::note_down_converts} : std::vector<int>{};
}

int finish(void* raw) {
  Node& n = *node(raw);
  if (const int status = fake_response(n.kind == dnn::plan ? "finish plan" : "finish")) return status;
  if (n.kind != dnn::plan) return 0;
  if (!graph_of(n)) return 3000;
  const Node* config = n.link(dnn::plan_config);
  if (config && config->value<i64>(dnn::engine_index) == compiled_engine) {
    ++compiled;
    if (lacks_notes(*graph_of(n))) return 3001;
  }
  return !fake_refused().empty() && told(*graph_of(n)).find(fake_refused()) != std::string::npos ? 3001 : 0;
}

int get(const void* raw, int attribute, int type, i64 wanted, i64* count, void* values) {
  if (const int status = fake_response("get")) return status;
  const Node& n = *node(raw);
  if (attribute == dnn::heuristics_results) {
    fake_searches += wanted == 0;
    const auto engines = engines_of(*n.links.at(dnn::heuristics_graph).at(0));
    *count = n.value<int>(dnn::heuristics_mode) == dnn::heuristic_a ? std::ssize(engines) : 0;
    for (i64 i = 0; i < std::min(wanted, *count); ++i) {
      Node& config = *node(static_cast<void**>(values)[i]);
      config.links[dnn::heuristics_graph] = n.links.at(dnn::heuristics_graph);
      const i64 index = engines[static_cast<std::size_t>(i)];
      config.values[dnn::engine_index].assign(reinterpret_cast<const std::byte*>(&index),
                                              reinterpret_cast<const std::byte*>(&index) + 8);
    }
    return 0;
  }
  *count = 1;
  if (attribute == dnn::config_engine) {
    Node& engine = *node(*static_cast<void**>(values));
    engine.values = n.values;
    engine.links = n.links;
    return 0;
  }
  if (attribute == dnn::plan_workspace) return *static_cast<i64*>(values) = workspace_of(n), 0;
  if (attribute == dnn::engine_index) return *static_cast<i64*>(values) = n.value<i64>(attribute), 0;
  if (attribute == dnn::plan_json) {
    const std::string json = "fake plan " + std::to_string(reinterpret_cast<std::uintptr_t>(graph_of(n).get()));
    {
      const Handle graph = graph_of(n);
      const std::scoped_lock lock(words_mutex);
      in_words[json] = graph;
    }
    *count = static_cast<i64>(json.size());
    if (wanted > 0) std::memcpy(values, json.data(), static_cast<std::size_t>(std::min(wanted, *count)));
    return 0;
  }
  *count = 0;
  if (attribute == dnn::engine_numerical_notes) {
    const auto notes = notes_of(n);
    *count = std::ssize(notes);
    std::copy_n(notes.begin(), std::min<i64>(wanted, *count), static_cast<int*>(values));
    return 0;
  }
  if (attribute == dnn::engine_behavior_notes && n.value<i64>(dnn::engine_index) == compiled_engine)
    *static_cast<int*>(values) = dnn::behavior_runtime_compiled, *count = 1;
  return type == dnn::int64_type ? 3000 : 0;
}

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

/// cudnnHandle_t: one for each executable, which may be on threads of their own.
struct Library {
  void* stream = nullptr;
};
constexpr int execution_failed = 5000;

int execute(void* library, void* plan, void* arguments) {
  void* const stream = static_cast<Library*>(library)->stream;
  if (const int status = fake_response("execute")) return status;
  if (const Node* config = node(plan)->link(dnn::plan_config))
    for (const auto& [engine, ms] : fake_engines())
      if (engine == config->value<i64>(dnn::engine_index)) fake_take_time(ms);
  const Handle graph = graph_of(*node(plan)), with = node(arguments);
  if (fake_captures(stream)) fake_note(told(*graph));
  FakeCall call{"cudnn"};
  call.uses = {with->value<void*>(dnn::arguments_workspace)};
  for (std::size_t i = 0; i * 8 < with->values.at(dnn::arguments_ids).size(); ++i)
    call.uses.push_back(with->value<void*>(dnn::arguments_pointers, i));
  if (!fake_computes()) Interpreter(*with).describe(*graph, call);
  const int code = fake_enqueue(stream, std::move(call), [graph, with] {
    if (fake_computes()) Interpreter(*with).run(*graph);
  });
  return code == 0 ? 0 : execution_failed;
}

}  // namespace

int fake_engine_searches() { return fake_searches; }
int fake_engines_compiled() { return compiled; }

CudnnTable fake_cudnn() {
  CudnnTable t{};
  t.version = [] { return std::size_t{91900}; };
  t.create = [](void** h) { return fake_make<Library>("create cudnn", h); };
  t.destroy = [](void* h) { return fake_drop<Library>(h); };
  t.set_stream = [](void* h, void* stream) {
    return static_cast<Library*>(h)->stream = stream, fake_response("set_stream");
  };
  t.error_string = [](int) { return "CUDNN_STATUS_FAKE"; };
  t.last_error = [](char* message, std::size_t) { *message = 0; };
  t.make = make;
  t.drop = [](void* raw) { return fake_drop<Handle>(raw); };
  t.set = set;
  t.get = get;
  t.finish = finish;
  t.execute = execute;
  return t;
}

}  // namespace nw::cuda
