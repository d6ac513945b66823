// SPDX-License-Identifier: Apache-2.0
// cuDNN's backend API as an interpreter: descriptors store their attributes, a plan executes its graph's operations.
// Engine 6 must be compiled first. Of the others 4 and, for floats, 5 have no tensor cores; for 16-bit tensors 5 has,
// and 7 rounds floats for them. For floats 9 is an algorithm of Winograd. Fused graphs may be rejected.
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "kernels/cuda/cudnn_names.hpp"
#include "tests/kernels/cuda/fakes/fake_cudnn_node.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"
#include "tests/kernels/cuda/fakes/fake_objects.hpp"
#include "tests/kernels/cuda/fakes/fake_streams.hpp"

namespace nw::cuda {
namespace {

using fake_dnn::Handle;
using fake_dnn::Node;
using i64 = std::int64_t;

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
  if (!fake_computes()) fake_dnn::describe(*graph, *with, call);
  const int code = fake_enqueue(stream, std::move(call), [graph, with] {
    if (fake_computes()) fake_dnn::run(*graph, *with);
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
