// SPDX-License-Identifier: Apache-2.0
// Convolutions: cuDNN with bias and ReLU in the same graph, else cuDNN for the product alone, else our own kernels.
#include "kernels/cuda/conv_graphs.hpp"
#include "kernels/cuda/small_products.hpp"

namespace nw::cuda {
namespace {

/// About the time of a pass that reads or writes so many bytes once, with its launch.
double microseconds_of_pass(i64 bytes) {
  constexpr double launch = 4, bytes_per_microsecond = 2.5e6;
  return launch + static_cast<double>(bytes) / bytes_per_microsecond;
}

/// A cuDNN plan of a convolution and its graphs. Channels are padded if cuDNN then need not convert image and filter
/// itself, which shows in a smaller workspace.
struct Fitted {
  std::shared_ptr<CudnnPlan> plan;
  ConvGraphs graphs;
  i64 padded_to = 0;  // 0: not padded
};
/// Where both were measured, the faster one, the copy included.
bool better(const CudnnPlan& padded, const ConvGraphs& wide, const CudnnPlan& plain) {
  if (padded.microseconds() <= 0 || plain.microseconds() <= 0)
    return padded.workspace_bytes() < plain.workspace_bytes();
  const ConvShape& s = wide.shape;
  return padded.microseconds() + microseconds_of_pass(2 * 2 * s.n * s.h * s.w * s.c) < plain.microseconds();
}
template <class MakeGraph>
Fitted fit(Preparing& p, const ConvGraphs& graphs, MakeGraph graph) {
  const ConvGraphs wide = graphs.padded();
  const auto plain = p.engines.plan(graph(graphs));
  if (wide.shape.c == graphs.shape.c) return {plain, graphs};
  const auto padded = p.engines.plan(graph(wide));
  if (!padded || (plain && !better(*padded, wide, *plain))) return {plain, graphs};
  return {padded, wide, wide.shape.c};
}
std::string description(const Fitted& f, const char* with) {
  const std::string padded = f.padded_to ? ", channels padded to " + std::to_string(f.padded_to) : "";
  return "cuDNN engine " + std::to_string(f.plan->engine()) + (f.plan->runtime_compiled() ? ", compiled here" : "") +
         (f.plan->uses_tensor_cores() ? "" : ", without tensor cores") + padded + with;
}
void enqueue(Preparing& p, const std::shared_ptr<CudnnPlan>& plan, std::vector<void*> addresses) {
  void* workspace = p.scratch<std::byte>(plan->workspace_bytes());
  p.call([plan, addresses = std::move(addresses), workspace, &engines = p.engines](DriverStream) {
    return engines.enqueue(*plan, addresses, workspace);
  });
}

bool one_layout(const ConvShape& s) { return s.kh * s.kw == 1 || s.in_per_group == 1; }

template <class T>
T* padded(Preparing& p, const T* x, i64 pixels, i64 channels, i64 to) {
  auto* wide = p.scratch<T>(pixels * to);
  p.each(pixels * to, PadChannels<T>{x, wide, channels, to});
  return wide;
}
template <class T>
void* image_of(Preparing& p, int input, const ConvShape& s, const Fitted& f) {
  return f.padded_to ? padded(p, p.c.in<T>(input), s.n * s.h * s.w, s.c, f.padded_to) : p.c.in<T>(input);
}
// Weights in the layout that cuDNN reads, channels innermost.
template <class T>
void* filter_of(Preparing& p, const ConvShape& s, i64 padded_to = 0) {
  if (padded_to) return padded(p, p.c.in<T>(1), s.o * s.kh * s.kw, s.c, padded_to);
  if (p.c.in_value(1).dtype != DType::f32 || one_layout(s)) return p.c.in(1);
  auto* filter = p.scratch<T>(s.weights());
  p.each(s.weights(), PackFilter<T>{p.c.in(1), filter, s.in_per_group, s.kh * s.kw});
  return filter;
}
// The bias of a convolution; zeros where it has none and ReLU follows: cuDNN fuses convolution, bias and ReLU, but not
// convolution and ReLU alone.
template <class T>
void* bias_of(Preparing& p, const ConvShape& s) {
  if (p.c.has_in(2)) return stored<T>(p, p.c.in(2), s.o);
  auto* zeros = p.scratch<T>(s.o);
  p.each(s.o, Fill<T>{zeros, 0});
  return zeros;
}

/// False: a convolution without the sums, and a pass for these, are faster.
bool worth_it(Preparing& p, const CudnnPlan& with_sums, const ConvGraphs& graphs) {
  const Fitted alone = fit(p, graphs, [](const ConvGraphs& g) { return g.forward(); });
  if (with_sums.microseconds() <= 0 || !alone.plan || alone.plan->microseconds() <= 0) return true;
  const ConvShape& s = graphs.shape;
  return with_sums.microseconds() <= alone.plan->microseconds() + microseconds_of_pass(2 * s.n * s.oh * s.ow * s.o);
}
// The convolution also computes the sums that the following batch norm requires. They must be stored until that step.
template <class T>
bool with_statistics(Preparing& p, const ConvGraphs& graphs) {
  if (!wants_statistics(p.c.plan, p.c.step)) return false;
  const ConvShape& s = graphs.shape;
  Fitted f{nullptr, graphs.padded()};  // cuDNN has no such graph for other numbers of channels
  f.plan = p.engines.plan(f.graphs.forward_statistics());
  f.padded_to = f.graphs.shape.c == s.c ? 0 : f.graphs.shape.c;
  if (!f.plan || !worth_it(p, *f.plan, graphs)) return false;
  const i64 channels = graphs.shape.o;
  ChannelStatistics& made = p.sums[p.c.step.outputs[0]];
  if (p.scratch_begin) made = {p.c.own<float>(channels), p.c.own<float>(channels)};
  enqueue(p, f.plan, {image_of<T>(p, 0, s, f), filter_of<T>(p, s, f.padded_to), p.c.out(0), made.sums, made.squares});
  p.chose(description(f, ", sums for batch norm in it"));
  return true;
}

constexpr auto small_conv_name = "own kernel for small images";
template <class T, bool relu>
bool by_small_kernel(Preparing& p, const ConvGraphs& graphs) {
  if (!is_small_conv<SmallConv<T>>(p, graphs.shape) || wants_statistics(p.c.plan, p.c.step)) return false;
  const SmallConv<T> f{.s = graphs.shape,
                       .x = p.c.in<T>(0),
                       .weight = p.c.in<T>(1),
                       .bias = p.c.has_in(2) ? p.c.in(2) : nullptr,
                       .y = p.c.out<T>(0),
                       .k = small(graphs.shape),
                       .relu = relu,
                       .slices = SmallConv<T>::slices_of(graphs.shape)};
  p.each(f.blocks(), f);
  p.chose(small_conv_name);
  return true;
}
template <class T, bool relu>
bool by_library(Preparing& p, const ConvGraphs& graphs) {
  const ConvShape& s = graphs.shape;
  const bool bias = p.c.has_in(2);
  if (!relu && with_statistics<T>(p, graphs)) return true;
  const i64 results = p.c.out_value(0).shape.elements();
  if (bias || relu)
    if (const Fitted f = fit(p, graphs, [](const ConvGraphs& g) { return g.forward_bias(relu); }); f.plan) {
      std::vector<void*> at{image_of<T>(p, 0, s, f), filter_of<T>(p, s, f.padded_to), bias_of<T>(p, s), nullptr};
      if (relu) at.push_back(nullptr);
      at.push_back(p.c.out(0));
      enqueue(p, f.plan, at);
      p.chose(description(f, relu ? ", bias and ReLU in it" : ", bias in it"));
      return true;
    }
  const Fitted f = fit(p, graphs, [](const ConvGraphs& g) { return g.forward(); });
  if (!f.plan) return false;
  enqueue(p, f.plan, {image_of<T>(p, 0, s, f), filter_of<T>(p, s, f.padded_to), p.c.out(0)});
  if (bias || relu) p.each(results, AddBias<T>{p.c.out<T>(0), p.c.in(2), s.o, relu});
  p.chose(description(f, bias || relu ? ", the rest by own kernel" : ""));
  return true;
}

template <class T, bool relu>
void forward(Preparing& p) {
  const ConvGraphs graphs = conv_graphs(p.c.plan, p.c.step);
  if (by_small_kernel<T, relu>(p, graphs)) return;
  if (by_library<T, relu>(p, graphs)) return;
  const i64 results = p.c.out_value(0).shape.elements();
  p.each(results, Conv2d<T>{graphs.shape, p.c.in<T>(0), p.c.in<T>(1), p.c.in(2), p.c.out<T>(0)});
  if (relu) p.each(results, AddBias<T>{p.c.out<T>(0), nullptr, graphs.shape.o, true});
  p.chose("own kernel");
}
template <class T>
void conv2d(Preparing& p) {
  forward<T, false>(p);
}
template <class T>
void conv2d_relu(Preparing& p) {
  forward<T, true>(p);
}

template <class T>
void conv2d_grad_input(Preparing& p) {
  const ConvGraphs graphs = conv_graphs(p.c.plan, p.c.step);
  if (is_small_conv<SmallConvGradInput<T>>(p, graphs.shape)) {
    const SmallConvGradInput<T> f{.s = graphs.shape,
                                  .dy = p.c.in<T>(0),
                                  .weight = p.c.in<T>(1),
                                  .dx = p.c.out<T>(0),
                                  .k = small(graphs.shape),
                                  .slices = SmallConvGradInput<T>::slices_of(graphs.shape)};
    p.each(f.blocks(), f);
    return p.chose(small_conv_name);
  }
  if (const auto plan = p.engines.plan(graphs.input_gradient())) {
    enqueue(p, plan, {p.c.in(0), filter_of<T>(p, graphs.shape), p.c.out(0)});
    return p.chose(description({plan, graphs}, ""));
  }
  p.each(p.c.out_value(0).shape.elements(),
         Conv2dGradInput<T>{graphs.shape, p.c.in<T>(0), p.c.in<T>(1), p.c.out<T>(0)});
  p.chose("own kernel");
}

// cuDNN writes the gradient in the layout of the images, channels innermost. Padding samples add nothing, because their
// dy is zero. `y`, `x`: the indices of the inputs with the gradient of the output and with the image.
template <class T>
bool grad_weight_by_library(Preparing& p, const ConvGraphs& graphs, int y, int x) {
  const Fitted f = fit(p, graphs, [](const ConvGraphs& g) { return g.filter_gradient(); });
  if (!f.plan) return false;
  const ConvShape& s = graphs.shape;
  const bool in_place = std::is_same_v<T, float> && one_layout(s);
  auto* filter = in_place ? p.c.out<T>(0) : p.scratch<T>(f.graphs.shape.weights());
  enqueue(p, f.plan, {p.c.in(y), image_of<T>(p, x, s, f), filter});
  if (!in_place)
    p.each(s.weights(), UnpackFilter<T>{filter, p.c.out(0), s.in_per_group, s.kh * s.kw, f.graphs.shape.in_per_group});
  p.chose(description(f, ""));
  return true;
}
template <class T>
bool grad_weight_by_small_kernel(Preparing& p, const ConvShape& s) {
  constexpr i64 most_parts = i64{1} << 21;
  if (!is_small_conv<SmallConvGradWeight<T>>(p, s) || s.n * s.weights() > most_parts) return false;
  auto *parts = p.scratch<double>(s.n * s.weights()),
       *bias_parts = p.c.has_out(1) ? p.scratch<double>(s.n * s.o) : nullptr;
  const SmallConvGradWeight<T> f{.s = s,
                                 .dy = p.c.in<T>(0),
                                 .x = p.c.in<T>(1),
                                 .parts = parts,
                                 .bias_parts = bias_parts,
                                 .block = p.block,
                                 .k = small(s)};
  p.each(f.blocks(), f);
  p.sum(parts, p.c.out(0), s.weights(), s.n);
  if (p.c.has_out(1)) p.sum(bias_parts, p.c.out(1), s.o, s.n);
  p.chose(small_conv_name);
  return true;
}
template <class T>
void grad_weight(Preparing& p, int y, int x) {
  const ConvGraphs graphs = conv_graphs(p.c.plan, p.c.step);
  const ConvShape& s = graphs.shape;
  if (grad_weight_by_library<T>(p, graphs, y, x)) return;
  const i64 slices = slices_for(s.weights(), s.n);
  auto* parts = p.scratch<double>(slices * s.weights());
  p.each(slices * s.weights(), Conv2dGradWeight<T>{s, p.c.in<T>(y), p.c.in<T>(x), parts, slices, p.block});
  p.sum(parts, p.c.out(0), s.weights(), slices);
  p.chose("own kernel");
}
template <class T>
void conv2d_grad_weight(Preparing& p) {
  if (!grad_weight_by_small_kernel<T>(p, conv_graphs(p.c.plan, p.c.step).shape)) {
    grad_weight<T>(p, 0, 1);
    bias_gradient<T>(p);
  }
}

// ---- transposed: its passes are those of a convolution in another order
template <class T>
void conv_transpose2d(Preparing& p) {
  conv2d_grad_input<T>(p);
  if (p.c.has_in(2))
    p.each(p.c.out_value(0).shape.elements(),
           AddBias<T>{p.c.out<T>(0), p.c.in(2), sizes_of(p.c.out_value(0)).c, false});
}
template <class T>
void conv_transpose2d_grad_weight(Preparing& p) {
  grad_weight<T>(p, 1, 0);
  bias_gradient<T>(p);
}

}  // namespace

Table conv2d_entries() {
  return {{"conv_transpose2d", NW_TYPED(conv_transpose2d)},
          {"conv_transpose2d_grad_input", NW_TYPED(conv2d)},
          {"conv_transpose2d_grad_weight", NW_TYPED(conv_transpose2d_grad_weight)},
          {"conv2d", NW_TYPED(conv2d)},
          {"conv2d_relu", NW_TYPED(conv2d_relu)},
          {"conv2d_grad_input", NW_TYPED(conv2d_grad_input)},
          {"conv2d_grad_weight", NW_TYPED(conv2d_grad_weight)}};
}

}  // namespace nw::cuda
