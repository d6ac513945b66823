// SPDX-License-Identifier: Apache-2.0
// Makes a cuDNN plan of a graph: descriptors of all tensors and operations, then the first engine that is suitable.
#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "kernels/cuda/cudnn_graph.hpp"
#include "kernels/cuda/cudnn_names.hpp"

namespace nw::cuda {
namespace {

const CudnnTable& lib() { return driver_api().libraries.cudnn; }
/// cuDNN's number of a type of operands or results; a plan stores no other types.
int type_of(DType t) {
  switch (t) {
    case DType::f32:
    case DType::tf32:
      return dnn::data_f32;
    case DType::f16:
      return dnn::data_f16;
    case DType::bf16:
      return dnn::data_bf16;
    case DType::f64:
    case DType::i64:
    case DType::u8:
      break;
  }
  throw std::logic_error("a library was given numbers of a type that it does not multiply");
}

Descriptor describe(const GraphTensor& t, std::int64_t id) {
  const auto [n, c, h, w] = t.sizes;
  const std::array<std::int64_t, 4> strides{h * w * c, 1, w * c, c};
  constexpr std::int64_t alignment = 16;
  const bool is_virtual = t.is_virtual;
  Descriptor d(dnn::tensor);
  d.set(dnn::tensor_id, dnn::int64_type, id).set_mode(dnn::tensor_type, dnn::data_type, type_of(t.type));
  d.set(dnn::tensor_sizes, dnn::int64_type, 4, t.sizes.data())
      .set(dnn::tensor_strides, dnn::int64_type, 4, strides.data());
  d.set(dnn::tensor_alignment, dnn::int64_type, alignment).set(dnn::tensor_virtual, dnn::boolean_type, 1, &is_virtual);
  return std::move(d.finish());
}

Descriptor describe(const Window& w) {
  Descriptor d(dnn::convolution);
  d.set(dnn::convolution_dimensions, dnn::int64_type, 2)
      .set_mode(dnn::convolution_compute, dnn::data_type, dnn::data_f32);
  d.set_mode(dnn::convolution_mode, dnn::convolution_mode_type, dnn::cross_correlation);
  d.set(dnn::convolution_strides, dnn::int64_type, 2, w.strides.data())
      .set(dnn::convolution_dilations, dnn::int64_type, 2, w.dilations.data());
  d.set(dnn::convolution_padding_before, dnn::int64_type, 2, w.padding.data())
      .set(dnn::convolution_padding_after, dnn::int64_type, 2, w.padding.data());
  return std::move(d.finish());
}

Descriptor describe_pointwise(int mode) {
  Descriptor d(dnn::pointwise);
  d.set_mode(dnn::pointwise_mode, dnn::pointwise_mode_type, mode)
      .set_mode(dnn::pointwise_precision, dnn::data_type, dnn::data_f32);
  return std::move(d.finish());
}

struct ConvolutionNames {
  int kind, alpha, beta, window, operands[3];
};
constexpr ConvolutionNames convolution_names[] = {
    {dnn::forward_op,
     dnn::forward_alpha,
     dnn::forward_beta,
     dnn::forward_convolution,
     {dnn::forward_x, dnn::forward_w, dnn::forward_y}},
    {dnn::data_op, dnn::data_alpha, dnn::data_beta, dnn::data_convolution, {dnn::data_dy, dnn::data_w, dnn::data_dx}},
    {dnn::filter_op,
     dnn::filter_alpha,
     dnn::filter_beta,
     dnn::filter_convolution,
     {dnn::filter_dy, dnn::filter_x, dnn::filter_dw}}};

bool has_note(void* engine, int attribute, int type, int most, std::initializer_list<int> wanted) {
  std::vector<int> notes(static_cast<std::size_t>(most));
  std::int64_t count = 0;
  if (lib().get(engine, attribute, type, most, &count, notes.data()) != 0) return false;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, most); ++i)
    for (const int w : wanted)
      if (notes[static_cast<std::size_t>(i)] == w) return true;
  return false;
}

}  // namespace

/// The descriptors of one graph; they must exist until the plan is finalized.
class GraphBuilder {
 public:
  GraphBuilder(const Graph& graph, const GraphTarget& target) : graph_(graph), target_(target) {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
      tensors_.push_back(cuda::describe(graph.tensors[i], static_cast<std::int64_t>(i) + 1));
    for (const GraphOperation& o : graph.operations) operations_.push_back(describe(o));
    std::vector<void*> raw;
    for (const Descriptor& o : operations_) {
      if (status_ == 0) status_ = o.status();
      raw.push_back(o.raw());
    }
    if (target.handle) whole_.set(dnn::graph_handle, dnn::handle_type, 1, &target.handle);
    whole_.set(dnn::graph_ops, dnn::descriptor_type, static_cast<std::int64_t>(raw.size()), raw.data());
    if (status_ == 0) status_ = whole_.finish().status();
  }
  int status() const { return status_; }

  std::vector<std::shared_ptr<CudnnPlan>> search(std::int64_t most_workspace_bytes, std::size_t most) {
    std::vector<Descriptor> all = configs(dnn::heuristic_a);
    for (Descriptor& d : configs(dnn::heuristic_fallback)) all.push_back(std::move(d));
    std::vector<std::shared_ptr<CudnnPlan>> found;
    int refused = 0;
    for (const Wanted& wanted : order()) {
      for (auto config = all.begin(); config != all.end() && found.size() < most; ++config)
        if (auto plan = plan_of(*config, wanted, most_workspace_bytes))
          plan->refused_ = refused, found.push_back(std::move(plan));
        else
          ++refused;
      if (!found.empty()) break;
    }
    return found;
  }

  std::shared_ptr<CudnnPlan> restore(const std::string& json) {
    Descriptor d(dnn::plan);
    if (target_.handle) d.set(dnn::plan_handle, dnn::handle_type, 1, &target_.handle);
    if (target_.device) d.set(dnn::plan_device, dnn::descriptor_type, 1, &target_.device);
    d.set(dnn::plan_json, dnn::char_type, static_cast<std::int64_t>(json.size()), json.data()).finish();
    return finished(std::move(d));
  }

 private:
  struct Wanted {
    bool tensor_cores, compiled_now;
  };
  /// What is looked for first. Graphs whose operands tensor cores do not take have engines of one kind. The precompiled
  /// engine for a convolution with sums carries no note in halves, and those that would be compiled (2 s each) are
  /// refused in the end.
  std::vector<Wanted> order() const {
    if (has_sums()) return {{true, false}, {false, false}, {true, true}, {false, true}};
    if (!graph_.fits_tensor_cores()) return {{true, false}, {true, true}};
    return {{true, false}, {true, true}, {false, false}, {false, true}};
  }
  bool has_sums() const {
    return std::any_of(graph_.operations.begin(), graph_.operations.end(),
                       [](const GraphOperation& o) { return o.kind == GraphOperation::statistics; });
  }
  const Descriptor& at(int tensor) const { return tensors_[static_cast<std::size_t>(tensor)]; }

  Descriptor describe(const GraphOperation& o) {
    switch (o.kind) {
      case GraphOperation::forward:
      case GraphOperation::data_gradient:
      case GraphOperation::filter_gradient:
        return convolution(o);
      case GraphOperation::add:
        return joined(o, dnn::pointwise_add);
      case GraphOperation::relu:
        return joined(o, dnn::pointwise_relu);
      case GraphOperation::statistics:
        return statistics(o);
    }
    return {};
  }
  const Descriptor& part(Descriptor d) {
    parts_.push_back(std::make_unique<Descriptor>(std::move(d)));
    return *parts_.back();
  }
  Descriptor convolution(const GraphOperation& o) {
    const ConvolutionNames& n = convolution_names[o.kind];
    constexpr float one = 1, zero = 0;
    Descriptor d(n.kind);
    d.set(n.window, part(cuda::describe(o.window)))
        .set(n.alpha, dnn::float_type, 1, &one)
        .set(n.beta, dnn::float_type, 1, &zero);
    for (std::size_t i = 0; i < 3; ++i) d.set(n.operands[i], at(o.tensors[i]));
    return std::move(d.finish());
  }
  Descriptor joined(const GraphOperation& o, int mode) {
    Descriptor d(dnn::pointwise_op);
    d.set(dnn::op_pointwise, part(describe_pointwise(mode))).set(dnn::op_pointwise_x, at(o.tensors[0]));
    if (o.tensors.size() == 3) d.set(dnn::op_pointwise_b, at(o.tensors[1]));
    return std::move(d.set(dnn::op_pointwise_y, at(o.tensors.back())).finish());
  }
  Descriptor statistics(const GraphOperation& o) {
    Descriptor d(dnn::stats_op);
    d.set_mode(dnn::stats_mode, dnn::stats_mode_type, dnn::stats_sum_and_squares)
        .set_mode(dnn::stats_precision, dnn::data_type, dnn::data_f32);
    return std::move(d.set(dnn::stats_x, at(o.tensors[0]))
                         .set(dnn::stats_sum, at(o.tensors[1]))
                         .set(dnn::stats_squares, at(o.tensors[2]))
                         .finish());
  }

  std::vector<Descriptor> configs(int mode) {
    Descriptor search(dnn::heuristics);
    search.set(dnn::heuristics_graph, whole_).set_mode(dnn::heuristics_mode, dnn::heuristic_mode_type, mode);
    if (target_.device) search.set(dnn::heuristics_device, dnn::descriptor_type, 1, &target_.device);
    std::int64_t count = 0;
    if (search.finish().status() != 0 ||
        lib().get(search.raw(), dnn::heuristics_results, dnn::descriptor_type, 0, &count, nullptr) != 0)
      return {};
    std::vector<Descriptor> all;
    std::vector<void*> raw;
    for (std::int64_t i = 0; i < count; ++i) raw.push_back(all.emplace_back(dnn::engine_config).raw());
    if (count == 0 ||
        lib().get(search.raw(), dnn::heuristics_results, dnn::descriptor_type, count, &count, raw.data()) != 0)
      return {};
    all.resize(static_cast<std::size_t>(std::min<std::int64_t>(count, static_cast<std::int64_t>(all.size()))));
    return all;
  }

  /// False for engines that reduce the precision of f32 numbers or add in an undefined order. Winograd's transforms
  /// reduce it as tf32 does.
  bool suits(void* engine) const {
    if (has_note(engine, dnn::engine_numerical_notes, dnn::numerical_note_type, dnn::numerical_notes,
                 {dnn::note_random_order}))
      return false;
    bool floats = true;
    for (const GraphTensor& t : graph_.tensors) floats = floats && t.type == DType::f32;
    return !floats || graph_.tf32 ||
           (!has_note(engine, dnn::engine_numerical_notes, dnn::numerical_note_type, dnn::numerical_notes,
                      {dnn::note_tensor_core, dnn::note_down_converts, dnn::note_winograd, dnn::note_winograd_4x4,
                       dnn::note_winograd_6x6, dnn::note_winograd_13x13}) &&
            !is_imprecise(engine));
  }
  /// An engine that says nothing of it in its notes: on an H100 and an H200 engine 17 of cuDNN 9.14 gave the gradient
  /// of a 5 by 5 filter with an error of 1e-3, every other engine below 3e-5.
  bool is_imprecise(void* engine) const {
    constexpr std::int64_t imprecise = 17;
    std::int64_t count = 0, index = -1;
    return graph_.operations[0].kind == GraphOperation::filter_gradient &&
           lib().get(engine, dnn::engine_index, dnn::int64_type, 1, &count, &index) == 0 && index == imprecise;
  }

  bool on_tensor_cores(void* engine) const {
    return !graph_.fits_tensor_cores() || has_note(engine, dnn::engine_numerical_notes, dnn::numerical_note_type,
                                                   dnn::numerical_notes, {dnn::note_tensor_core});
  }

  std::shared_ptr<CudnnPlan> plan_of(Descriptor& config, const Wanted& wanted, std::int64_t most_workspace_bytes) {
    Descriptor engine(dnn::engine);
    void* raw = engine.raw();
    std::int64_t count = 0;
    if (lib().get(config.raw(), dnn::config_engine, dnn::descriptor_type, 1, &count, &raw) != 0 || !suits(raw))
      return nullptr;
    if (has_note(raw, dnn::engine_behavior_notes, dnn::behavior_note_type, dnn::behavior_notes,
                 {dnn::behavior_runtime_compiled}) != wanted.compiled_now ||
        on_tensor_cores(raw) != wanted.tensor_cores)
      return nullptr;
    Descriptor d(dnn::plan);
    if (target_.handle) d.set(dnn::plan_handle, dnn::handle_type, 1, &target_.handle);
    if (target_.device) d.set(dnn::plan_device, dnn::descriptor_type, 1, &target_.device);
    auto plan = finished(std::move(d.set(dnn::plan_config, config).finish()));
    if (!plan || plan->workspace_bytes_ > most_workspace_bytes) return nullptr;
    lib().get(raw, dnn::engine_index, dnn::int64_type, 1, &count, &plan->engine_);
    plan->runtime_compiled_ = wanted.compiled_now;
    plan->tensor_cores_ = wanted.tensor_cores;
    return plan;
  }

  std::shared_ptr<CudnnPlan> finished(Descriptor d) const {
    if (d.status() != 0) return nullptr;
    auto plan = std::make_shared<CudnnPlan>();
    std::int64_t count = 0;
    if (lib().get(d.raw(), dnn::plan_workspace, dnn::int64_type, 1, &count, &plan->workspace_bytes_) != 0)
      return nullptr;
    plan->plan_ = std::move(d);
    for (const GraphTensor& t : graph_.tensors) plan->is_virtual_.push_back(t.is_virtual);
    return plan;
  }

  const Graph& graph_;
  GraphTarget target_;
  std::vector<Descriptor> tensors_, operations_;
  std::vector<std::unique_ptr<Descriptor>> parts_;
  Descriptor whole_{dnn::graph};
  int status_ = 0;
};

Result<std::vector<std::shared_ptr<CudnnPlan>>> CudnnPlan::candidates(const Graph& graph, const GraphTarget& target,
                                                                      std::int64_t most_workspace_bytes,
                                                                      std::size_t most) {
  GraphBuilder builder(graph, target);
  if (builder.status() != 0)
    return fail(Errc::other, NW_TR("cuDNN rejected this graph (status {0})"), builder.status());
  if (auto plans = builder.search(most_workspace_bytes, most); !plans.empty()) return plans;
  return fail(Errc::other, NW_TR("cuDNN has no implementation of this graph on this device"));
}
Result<std::shared_ptr<CudnnPlan>> CudnnPlan::make(const Graph& graph, const GraphTarget& target,
                                                   std::int64_t most_workspace_bytes) {
  NW_ASSIGN(auto plans, candidates(graph, target, most_workspace_bytes, 1));
  return plans.front();
}

Result<std::shared_ptr<CudnnPlan>> CudnnPlan::from_text(const Graph& graph, const GraphTarget& target,
                                                        const std::string& text) {
  long long engine = 0;
  int runtime = 0, tensor_cores = 0, read = 0;
  double us = 0;
  GraphBuilder builder(graph, target);
  if (std::sscanf(text.c_str(), "%lld %d %d %lf\n%n", &engine, &runtime, &tensor_cores, &us, &read) == 4 && read > 0)
    if (auto plan = builder.restore(text.substr(static_cast<std::size_t>(read)))) {
      plan->engine_ = engine;
      plan->runtime_compiled_ = runtime != 0;
      plan->tensor_cores_ = tensor_cores != 0;
      plan->microseconds_ = us;
      return plan;
    }
  return fail(Errc::other, NW_TR("cuDNN rejected this graph (status {0})"), builder.status());
}

}  // namespace nw::cuda
