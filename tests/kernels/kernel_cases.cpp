// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/kernel_cases.hpp"

namespace nw::test {

KernelCase sized(Rng& r) {
  KernelCase c;
  c.batch = pick(r, 1, 40);
  c.valid = r() % 2 ? c.batch : pick(r, 1, c.batch);
  return c;
}
Shape image(Rng& r, const KernelCase& k) { return {k.batch, pick(r, 1, 7), pick(r, 1, 9), pick(r, 1, 9)}; }
Shape any_shape(Rng& r, const KernelCase& k) { return r() % 2 ? image(r, k) : Shape{k.batch, pick(r, 1, 99)}; }
KernelCase activation(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = any_shape(r, k);
  k.inputs = {{"x", x}};
  k.outputs = {{"y", x}};
  return k;
}

namespace {

using List = std::vector<std::int64_t>;

// ---- convolution
struct ConvSizes {
  std::int64_t n, c, h, w, o, oh, ow;
  Shape weight;
};
/// 3 x 3 or 5 x 5 with stride 1 and so many channels that Toom-Cook transforms save multiplications. The transforms
/// lose precision, three times as much with eight values per tile as with six.
ConvSizes many_channels(Rng& r, KernelCase& k, ConvSizes s) {
  const std::int64_t taps = r() % 2 ? 3 : 5, p = pick(r, 0, taps), q = r() % 2 ? p : pick(r, 0, taps);
  s.c = pick(r, 8, 48);
  s.o = pick(r, 8, 48);
  s.h = pick(r, taps + 1, 16);
  s.w = pick(r, taps + 1, 16);
  s.oh = s.h + 2 * p - taps + 1;
  s.ow = s.w + 2 * q - taps + 1;
  s.weight = {s.o, s.c, taps, taps};
  k.attrs = {{"stride", List{1, 1}}, {"padding", List{p, q}}, {"dilation", List{1, 1}}, {"groups", std::int64_t{1}}};
  k.tolerance = taps == 3 ? 1e-5 : 3e-5;
  return s;
}
ConvSizes conv_sizes(Rng& r, KernelCase& k) {
  ConvSizes s{};
  const std::int64_t groups = r() % 3 == 0 ? pick(r, 2, 4) : 1, kh = pick(r, 1, 7), kw = r() % 2 ? kh : pick(r, 1, 7);
  const std::int64_t dh = r() % 4 == 0 ? 2 : 1, dw = r() % 4 == 0 ? 2 : dh, sh = r() % 3 == 0 ? pick(r, 2, 3) : 1,
                     sw = r() % 4 == 0 ? pick(r, 1, 3) : sh;
  const std::int64_t ph = r() % 2 ? pick(r, 0, kh) : 0, pw = r() % 2 ? pick(r, 0, kw) : ph;
  const std::int64_t in = r() % 4 == 0 ? 1 : pick(r, 1, 9);
  s.n = k.batch;
  if (r() % 4 == 0) return many_channels(r, k, s);
  s.c = groups * in;
  s.o = groups * (r() % 3 == 0 ? pick(r, 8, 20) : pick(r, 1, 9));
  s.h = std::max<std::int64_t>(1, dh * (kh - 1) + 1 - 2 * ph) + pick(r, 0, 9);
  s.w = std::max<std::int64_t>(1, dw * (kw - 1) + 1 - 2 * pw) + pick(r, 0, 9);
  s.oh = (s.h + 2 * ph - dh * (kh - 1) - 1) / sh + 1;
  s.ow = (s.w + 2 * pw - dw * (kw - 1) - 1) / sw + 1;
  s.weight = {s.o, in, kh, kw};
  k.attrs = {{"stride", List{sh, sw}}, {"padding", List{ph, pw}}, {"dilation", List{dh, dw}}, {"groups", groups}};
  return s;
}
KernelCase conv2d(Rng& r) {
  KernelCase k = sized(r);
  const ConvSizes s = conv_sizes(r, k);
  k.inputs = {{"x", {s.n, s.c, s.h, s.w}}, {"w", s.weight, Fill::noise, false}};
  if (r() % 2) k.inputs.push_back({"b", {s.o}, Fill::noise, false});
  k.outputs = {{"y", {s.n, s.o, s.oh, s.ow}}};
  return k;
}
KernelCase conv2d_grad_input(Rng& r) {
  KernelCase k = sized(r);
  const ConvSizes s = conv_sizes(r, k);
  k.inputs = {{"dy", {s.n, s.o, s.oh, s.ow}, Fill::gradient}, {"w", s.weight, Fill::noise, false}};
  k.outputs = {{"dx", {s.n, s.c, s.h, s.w}}};
  return k;
}
KernelCase conv2d_grad_weight(Rng& r) {
  KernelCase k = sized(r);
  const ConvSizes s = conv_sizes(r, k);
  k.inputs = {{"dy", {s.n, s.o, s.oh, s.ow}, Fill::gradient}, {"x", {s.n, s.c, s.h, s.w}}};
  k.outputs = {{"dw", s.weight, Fill::noise, false}};
  if (r() % 2) k.outputs.push_back({"db", {s.o}, Fill::noise, false});
  return k;
}
// Adjacent windows over the convolution's outputs; outputs that do not fill a window are omitted.
KernelCase conv2d_max_pool2d_relu(Rng& r) {
  KernelCase k = conv2d(r);
  const Shape y = k.outputs[0].shape;
  const std::int64_t h = pick(r, 1, std::min<std::int64_t>(4, y[2])), w = pick(r, 1, std::min<std::int64_t>(4, y[3]));
  const bool square = r() % 2 && std::min(y[2], y[3]) >= 2;
  const List window = square ? List{2, 2} : List{h, w};
  const Shape pooled{y[0], y[1], y[2] / window[0], y[3] / window[1]};
  k.attrs["window"] = window;
  k.outputs = {{"y", pooled}};
  if (r() % 4) k.outputs.push_back({"argmax", pooled, Fill::noise, true, DType::u8});
  return k;
}
// A fused gradient is zero where an output of relu, shaped as the result, is.
KernelCase gated(KernelCase k) {
  k.inputs.push_back({"y", k.outputs[0].shape, Fill::rectified});
  return k;
}
KernelCase conv2d_grad_input_relu(Rng& r) { return gated(conv2d_grad_input(r)); }

// ---- linear: vectors, or each pixel of images
struct LinearSizes {
  Shape x, y, weight;
};
LinearSizes linear_sizes(Rng& r, const KernelCase& k) {
  const std::int64_t in = pick(r, 1, 300), out = pick(r, 1, 90);
  if (r() % 3) return {{k.batch, in}, {k.batch, out}, {out, in}};
  const std::int64_t few = (in + 9) / 10, h = pick(r, 1, 6), w = pick(r, 1, 4);
  return {{k.batch, few, h, w}, {k.batch, out, h, w}, {out, few}};
}
KernelCase linear(Rng& r) {
  KernelCase k = sized(r);
  const LinearSizes s = linear_sizes(r, k);
  k.inputs = {{"x", s.x}, {"w", s.weight, Fill::noise, false}};
  if (r() % 2) k.inputs.push_back({"b", {s.weight[0]}, Fill::noise, false});
  k.outputs = {{"y", s.y}};
  return k;
}
KernelCase linear_grad_input(Rng& r) {
  KernelCase k = sized(r);
  const LinearSizes s = linear_sizes(r, k);
  k.inputs = {{"dy", s.y, Fill::gradient}, {"w", s.weight, Fill::noise, false}};
  k.outputs = {{"dx", s.x}};
  return k;
}
KernelCase linear_grad_input_relu(Rng& r) { return gated(linear_grad_input(r)); }
KernelCase linear_grad_weight(Rng& r) {
  KernelCase k = sized(r);
  const LinearSizes s = linear_sizes(r, k);
  k.inputs = {{"dy", s.y, Fill::gradient}, {"x", s.x}};
  k.outputs = {{"dw", s.weight, Fill::noise, false}};
  if (r() % 2) k.outputs.push_back({"db", {s.weight[0]}, Fill::noise, false});
  return k;
}

// ---- batch norm
double spatial_of(const Shape& x) { return static_cast<double>(x[2] * x[3]); }
KernelCase batch_norm_stats(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"x", x}};
  k.outputs = {{"stats", {2, x[1]}, Fill::noise, false, DType::f64}};
  return k;
}
KernelCase batch_norm_finalize(Rng& r) {
  KernelCase k = sized(r);
  const std::int64_t c = pick(r, 1, 9);
  k.inputs = {{"stats", {2, c}, Fill::sums, false, DType::f64},
              {"running_mean", {c}, Fill::noise, false},
              {"running_var", {c}, Fill::positive, false},
              {"num_batches_tracked", {1}, Fill::labels, false, DType::i64}};
  k.outputs = {{"mean_invstd", {2, c}, Fill::noise, false}};
  k.attrs = {{"momentum", 0.1}, {"eps", 1e-5}, {"spatial", pick(r, 1, 9)}};
  return k;
}
KernelCase batch_norm_apply(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"x", x},
              {"mean_invstd", {2, x[1]}, Fill::statistics, false},
              {"weight", {x[1]}, Fill::noise, false},
              {"bias", {x[1]}, Fill::noise, false}};
  k.outputs = {{"y", x}};
  return k;
}
KernelCase batch_norm_inference(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"x", x},
              {"running_mean", {x[1]}, Fill::noise, false},
              {"running_var", {x[1]}, Fill::positive, false},
              {"weight", {x[1]}, Fill::noise, false},
              {"bias", {x[1]}, Fill::noise, false}};
  k.outputs = {{"y", x}};
  k.attrs = {{"eps", 1e-5}};
  return k;
}
KernelCase batch_norm_inference_grad(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"dy", x}, {"running_var", {x[1]}, Fill::positive, false}, {"weight", {x[1]}, Fill::noise, false}};
  k.outputs = {{"dx", x}};
  k.attrs = {{"eps", 1e-5}};
  return k;
}
KernelCase with_residual(Rng& r, KernelCase k) {
  if (r() % 2) k.inputs.push_back({"residual", k.outputs[0].shape});
  return k;
}
KernelCase batch_norm_apply_relu(Rng& r) { return with_residual(r, batch_norm_apply(r)); }
KernelCase batch_norm_inference_relu(Rng& r) { return with_residual(r, batch_norm_inference(r)); }
KernelCase batch_norm_grad_stats(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"dy", x, Fill::gradient}, {"x", x}, {"mean_invstd", {2, x[1]}, Fill::statistics, false}};
  k.outputs = {{"dstats", {2, x[1]}, Fill::noise, false, DType::f64}};
  return k;
}
KernelCase batch_norm_grad_weight(Rng& r) {
  KernelCase k = sized(r);
  const std::int64_t c = pick(r, 1, 9);
  k.inputs = {{"dstats", {2, c}, Fill::sums, false, DType::f64}};
  k.outputs = {{"dw", {c}, Fill::noise, false}, {"db", {c}, Fill::noise, false}};
  return k;
}
KernelCase batch_norm_grad_input(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"dy", x, Fill::gradient},
              {"x", x},
              {"mean_invstd", {2, x[1]}, Fill::statistics, false},
              {"weight", {x[1]}, Fill::noise, false},
              {"dstats", {2, x[1]}, Fill::sums, false, DType::f64}};
  k.outputs = {{"dx", x}};
  k.attrs = {{"spatial", spatial_of(x)}};
  k.zero_padding = true;
  return k;
}

// ---- element-wise: vectors or images
KernelCase activation_grad(Rng& r, Fill fill) {
  KernelCase k = sized(r);
  const Shape x = any_shape(r, k);
  k.inputs = {{"dy", x, Fill::gradient}, {"x", x, fill}};
  k.outputs = {{"dx", x}};
  return k;
}
}  // namespace
KernelCase grad_of_x(Rng& r) { return activation_grad(r, Fill::noise); }
namespace {
KernelCase dropout(Rng& r) {
  KernelCase k = activation(r);
  k.attrs = {{"p", r() % 5 ? 0.3 : 1.0}, {"key", pick(r, 1, 70000)}};
  if (r() % 2) k.attrs["share"] = pick(r, 0, 2);
  k.training = r() % 4 != 0;
  return k;
}
KernelCase softmax(Rng& r) { return activation(r); }
KernelCase softmax_grad(Rng& r) {
  KernelCase k = activation_grad(r, Fill::probabilities);
  return k;
}

// ---- joining and shape
KernelCase add(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = any_shape(r, k);
  for (std::int64_t i = pick(r, 1, 4); i > 0; --i) k.inputs.push_back({fmt::format("x{}", i), x});
  k.outputs = {{"y", x}};
  return k;
}
KernelCase add_relu_grad(Rng& r) {
  KernelCase k = add(r);
  for (TensorCase& t : k.inputs) t.fill = Fill::gradient;
  k.inputs.insert(k.inputs.begin(), {"y", k.outputs[0].shape, Fill::rectified});
  k.outputs[0].name = "dx";
  k.zero_padding = true;
  return k;
}
KernelCase concat(Rng& r) {
  KernelCase k = sized(r);
  Shape y = any_shape(r, k);
  y[1] = 0;
  for (std::int64_t i = pick(r, 1, 4); i > 0; --i) {
    Shape x = y;
    x[1] = pick(r, 1, 6);
    k.inputs.push_back({fmt::format("x{}", i), x});
  }
  for (const TensorCase& t : k.inputs) y[1] += t.shape[1];
  k.outputs = {{"y", y}};
  return k;
}
KernelCase slice(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = any_shape(r, k);
  Shape y = x;
  const std::int64_t begin = pick(r, 0, x[1] - 1);
  y[1] = pick(r, 1, x[1] - begin);
  k.inputs = {{"x", x}};
  k.outputs = {{"y", y}};
  k.attrs = {{"begin", begin}};
  return k;
}
KernelCase flatten(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"x", x}};
  k.outputs = {{"y", {x[0], x.per_sample()}}};
  return k;
}
KernelCase flatten_grad(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"dy", {x[0], x.per_sample()}, Fill::gradient}};
  k.outputs = {{"dx", x}};
  return k;
}

// ---- losses
KernelCase loss(Rng& r, TensorCase wanted, std::int64_t classes) {
  KernelCase k = sized(r);
  wanted.shape = wanted.dtype == DType::i64 ? Shape{k.batch} : Shape{k.batch, classes};
  k.inputs = {{"x", {k.batch, classes}}, wanted};
  if (r() % 4) k.outputs = {{"dx", {k.batch, classes}}};
  k.zero_padding = true;
  return k;
}
/// Weights of the scores, a focus, both or neither.
void add_form(Rng& r, KernelCase& k, const char* weights) {
  std::vector<double> all;
  for (std::int64_t i = 0; i < k.inputs[0].shape[1]; ++i) all.push_back(0.25 * static_cast<double>(pick(r, 1, 12)));
  if (r() % 2) k.attrs.emplace(weights, std::move(all));
  if (r() % 2) k.attrs.emplace("focal_gamma", 0.5 * static_cast<double>(pick(r, 1, 5)));
}
KernelCase cross_entropy(Rng& r) {
  const bool shares = r() % 2;
  KernelCase k = loss(
      r, shares ? TensorCase{"targets", {}, Fill::shares} : TensorCase{"labels", {}, Fill::labels, true, DType::i64},
      pick(r, 1, 40));
  k.attrs = {{"label_smoothing", r() % 2 ? 0.1 : 0.0}};
  add_form(r, k, "class_weights");
  return k;
}
KernelCase bce_with_logits(Rng& r) {
  KernelCase k = loss(r, {"targets", {}, Fill::binary}, pick(r, 1, 5));
  add_form(r, k, "pos_weight");
  return k;
}
KernelCase mse(Rng& r) { return loss(r, {"targets", {}, Fill::noise}, pick(r, 1, 5)); }

}  // namespace

const std::map<std::string, Generator>& generators() {
  static const std::map<std::string, Generator> all = [] {
    std::map<std::string, Generator> cases{{"conv2d", conv2d},
                                           {"conv2d_grad_input", conv2d_grad_input},
                                           {"conv2d_grad_weight", conv2d_grad_weight},
                                           {"linear", linear},
                                           {"linear_grad_input", linear_grad_input},
                                           {"linear_grad_weight", linear_grad_weight},
                                           {"batch_norm_stats", batch_norm_stats},
                                           {"batch_norm_finalize", batch_norm_finalize},
                                           {"batch_norm_apply", batch_norm_apply},
                                           {"batch_norm_inference", batch_norm_inference},
                                           {"batch_norm_inference_grad", batch_norm_inference_grad},
                                           {"batch_norm_grad_stats", batch_norm_grad_stats},
                                           {"batch_norm_grad_weight", batch_norm_grad_weight},
                                           {"batch_norm_grad_input", batch_norm_grad_input},
                                           {"dropout", dropout},
                                           {"softmax", softmax},
                                           {"softmax_grad", softmax_grad},
                                           {"add", add},
                                           {"concat", concat},
                                           {"slice", slice},
                                           {"flatten", flatten},
                                           {"flatten_grad", flatten_grad},
                                           {"cross_entropy", cross_entropy},
                                           {"bce_with_logits", bce_with_logits},
                                           {"mse", mse},
                                           {"conv2d_relu", conv2d},
                                           {"conv2d_max_pool2d_relu", conv2d_max_pool2d_relu},
                                           {"conv2d_grad_input_relu", conv2d_grad_input_relu},
                                           {"linear_relu", linear},
                                           {"linear_grad_input_relu", linear_grad_input_relu},
                                           {"add_relu", add},
                                           {"add_relu_grad", add_relu_grad},
                                           {"batch_norm_apply_relu", batch_norm_apply_relu},
                                           {"batch_norm_inference_relu", batch_norm_inference_relu}};
    cases.merge(pool_cases());
    cases.merge(layer_cases());
    cases.merge(formula_cases());
    cases.merge(channel_cases());
    cases.merge(element_cases());
    return cases;
  }();
  return all;
}

Generator generator_of(const std::string& kernel) {
  const auto found = generators().find(kernel);
  if (found == generators().end())
    throw std::runtime_error("the kernel \"" + kernel +
                             "\" has no test cases: write a generator for it in tests/kernels/kernel_cases.cpp");
  return found->second;
}

}  // namespace nw::test
