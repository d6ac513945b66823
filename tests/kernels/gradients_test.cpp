// SPDX-License-Identifier: Apache-2.0
// The reference's gradients against finite differences: for random v, (f(x + hv) - f(x - hv)) . dy / 2h = grad . v.
#include <gtest/gtest.h>

#include "kernels/math/element.hpp"
#include "tests/kernels/lenet_plan.hpp"

namespace nw::test {
namespace {

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += static_cast<double>(a[i]) * b[i];
  return s;
}
std::vector<float> moved(const std::vector<float>& x, const std::vector<float>& v, float h) {
  std::vector<float> y = x;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * v[i];
  return y;
}

/// A plan with forward and backward steps; `gradient` is d(dy . y) / d(input).
struct Check {
  std::string name;
  std::function<void(TinyPlan&)> build;  // values "x" (and others to be filled with noise), "y", "dy", "dx"
  std::string input = "x", gradient = "dx";
  float h = 1e-2f;
};

constexpr std::int64_t batch = 3;
const Shape image_shape{batch, 4, 6, 5};

void element_gradient(TinyPlan& t, const std::string& kernel, bool of_y, const StepAttrs& attrs = {}) {
  const int x = t.value("x", image_shape), y = t.value("y", image_shape), dy = t.value("dy", image_shape),
            dx = t.value("dx", image_shape);
  t.step(kernel, {x}, {y}, attrs);
  t.step(kernel + "_grad", {dy, of_y ? y : x}, {dx}, attrs);
}
Check elementwise(const std::string& kernel, bool of_y, const StepAttrs& attrs = {}, const std::string& suffix = "") {
  return {kernel + suffix, [=](TinyPlan& t) { element_gradient(t, kernel, of_y, attrs); }};
}
void pool(TinyPlan& t, const std::string& kernel, const StepAttrs& attrs, const Shape& out) {
  const int x = t.value("x", image_shape), y = t.value("y", out), dy = t.value("dy", out),
            dx = t.value("dx", image_shape);
  if (kernel == "max_pool2d") {
    const int argmax = t.value("argmax", out, Role::saved, true, DType::u8);
    t.step(kernel, {x}, {y, argmax}, attrs);
    t.step(kernel + "_grad", {dy, argmax}, {dx}, attrs);
  } else {
    t.step(kernel, {x}, {y}, attrs);
    t.step(kernel + "_grad", {dy}, {dx}, attrs);
  }
}
StepAttrs window(std::int64_t with_padding) {
  return {{"kernel", List{3, 2}}, {"stride", List{2, 1}}, {"padding", List{1, 1}}, {"count_include_pad", with_padding}};
}
void convolution(TinyPlan& t) {
  const StepAttrs attrs{
      {"stride", List{2, 1}}, {"padding", List{1, 2}}, {"dilation", List{1, 2}}, {"groups", std::int64_t{2}}};
  const Shape out{batch, 6, 3, 5}, weights{6, 2, 3, 3};
  const int x = t.value("x", image_shape), w = t.value("w", weights, Role::saved, false),
            b = t.value("b", {6}, Role::saved, false);
  const int y = t.value("y", out), dy = t.value("dy", out), dx = t.value("dx", image_shape);
  const int dw = t.value("dw", weights, Role::saved, false), db = t.value("db", {6}, Role::saved, false);
  t.step("conv2d", {x, w, b}, {y}, attrs);
  t.step("conv2d_grad_input", {dy, w}, {dx}, attrs);
  t.step("conv2d_grad_weight", {dy, x}, {dw, db}, attrs);
}
void linear(TinyPlan& t) {
  const int x = t.value("x", {batch, 7}), w = t.value("w", {5, 7}, Role::saved, false),
            b = t.value("b", {5}, Role::saved, false);
  const int y = t.value("y", {batch, 5}), dy = t.value("dy", {batch, 5}), dx = t.value("dx", {batch, 7});
  const int dw = t.value("dw", {5, 7}, Role::saved, false), db = t.value("db", {5}, Role::saved, false);
  t.step("linear", {x, w, b}, {y});
  t.step("linear_grad_input", {dy, w}, {dx});
  t.step("linear_grad_weight", {dy, x}, {dw, db});
}
void batch_norm(TinyPlan& t) {
  const Shape c{4};
  const StepAttrs attrs{{"spatial", std::int64_t{30}}, {"momentum", 0.1}, {"eps", 1e-5}};
  const int x = t.value("x", image_shape), w = t.value("w", c, Role::saved, false),
            b = t.value("b", c, Role::saved, false);
  const int mean = t.value("running_mean", c, Role::buffer, false),
            var = t.value("running_var", c, Role::buffer, false);
  const int tracked = t.value("tracked", {1}, Role::buffer, false, DType::i64);
  const int stats = t.value("stats", {2, 4}, Role::saved, false, DType::f64),
            dstats = t.value("dstats", {2, 4}, Role::saved, false, DType::f64);
  const int saved = t.value("mean_invstd", {2, 4}, Role::saved, false), y = t.value("y", image_shape),
            dy = t.value("dy", image_shape), dx = t.value("dx", image_shape);
  const int dw = t.value("dw", c, Role::saved, false), db = t.value("db", c, Role::saved, false);
  t.step("batch_norm_stats", {x}, {stats});
  t.step("batch_norm_finalize", {stats, mean, var, tracked}, {saved}, attrs);
  t.step("batch_norm_apply", {x, saved, w, b}, {y});
  t.step("batch_norm_grad_stats", {dy, x, saved}, {dstats});
  t.step("batch_norm_grad_weight", {dstats}, {dw, db});
  t.step("batch_norm_grad_input", {dy, x, saved, w, dstats}, {dx}, attrs);
}
void concat_and_slice(TinyPlan& t) {
  const Shape half{batch, 4, 2, 2}, both{batch, 8, 2, 2};
  const int x = t.value("x", half), other = t.value("other", half), y = t.value("y", both), dy = t.value("dy", both),
            dx = t.value("dx", half);
  t.step("concat", {other, x}, {y});
  t.step("slice", {dy}, {dx}, {{"begin", std::int64_t{4}}});
}
void flatten(TinyPlan& t) {
  const Shape flat{batch, image_shape.per_sample()};
  const int x = t.value("x", image_shape), y = t.value("y", flat), dy = t.value("dy", flat),
            dx = t.value("dx", image_shape);
  t.step("flatten", {x}, {y});
  t.step("flatten_grad", {dy}, {dx});
}

void conv_transpose(TinyPlan& t) {
  const StepAttrs attrs{
      {"stride", List{2, 1}}, {"padding", List{1, 2}}, {"dilation", List{1, 2}}, {"groups", std::int64_t{2}}};
  const Shape out{batch, 6, 12, 5}, weights{4, 3, 3, 3};
  const int x = t.value("x", image_shape), w = t.value("w", weights, Role::saved, false),
            b = t.value("b", {6}, Role::saved, false);
  const int y = t.value("y", out), dy = t.value("dy", out), dx = t.value("dx", image_shape);
  const int dw = t.value("dw", weights, Role::saved, false), db = t.value("db", {6}, Role::saved, false);
  t.step("conv_transpose2d", {x, w, b}, {y}, attrs);
  t.step("conv_transpose2d_grad_input", {dy, w}, {dx}, attrs);
  t.step("conv_transpose2d_grad_weight", {dy, x}, {dw, db}, attrs);
}
void sample_norm(TinyPlan& t, const std::string& kernel, std::int64_t groups, const Shape& weights) {
  const StepAttrs attrs = kernel == "group_norm" ? StepAttrs{{"groups", groups}} : StepAttrs{};
  StepAttrs forward = attrs;
  forward["eps"] = 1e-5;
  const int x = t.value("x", image_shape), w = t.value("w", weights, Role::saved, false),
            b = t.value("b", weights, Role::saved, false);
  const int saved = t.value("mean_invstd", {batch, 2 * groups}, Role::saved), y = t.value("y", image_shape),
            dy = t.value("dy", image_shape), dx = t.value("dx", image_shape);
  const int dw = t.value("dw", weights, Role::saved, false), db = t.value("db", weights, Role::saved, false);
  t.step(kernel, {x, w, b}, {y, saved}, forward);
  t.step(kernel + "_grad_input", {dy, x, saved, w}, {dx}, attrs);
  t.step(kernel + "_grad_weight", {dy, x, saved}, {dw, db}, attrs);
}
void layer_norm(TinyPlan& t) { sample_norm(t, "layer_norm", 1, {4, 6, 5}); }
void group_norm(TinyPlan& t) { sample_norm(t, "group_norm", 2, {4}); }
void prelu(TinyPlan& t) {
  const int x = t.value("x", image_shape), w = t.value("w", {4}, Role::saved, false), y = t.value("y", image_shape),
            dy = t.value("dy", image_shape);
  const int dx = t.value("dx", image_shape), dw = t.value("dw", {4}, Role::saved, false);
  t.step("prelu", {x, w}, {y});
  t.step("prelu_grad_input", {dy, x, w}, {dx});
  t.step("prelu_grad_weight", {dy, x}, {dw});
}
void multiply(TinyPlan& t) {
  const Shape scale{batch, 4, 1, 1};
  const int x = t.value("x", image_shape), s = t.value("s", scale), y = t.value("y", image_shape),
            dy = t.value("dy", image_shape);
  const int dx = t.value("dx", image_shape), ds = t.value("ds", scale);
  t.step("multiply", {x, s}, {y});
  t.step("multiply", {dy, s}, {dx});
  t.step("multiply_grad_scale", {dy, x}, {ds});
}
// Steps whose values are all shaped as given: forward from x (and w) to y, then the gradients.
void scale_channels(TinyPlan& t) {
  const int x = t.value("x", image_shape), w = t.value("w", {4}, Role::saved, false), y = t.value("y", image_shape),
            dy = t.value("dy", image_shape);
  const int dx = t.value("dx", image_shape), dw = t.value("dw", {4}, Role::saved, false);
  t.step("scale_channels", {x, w}, {y});
  t.step("scale_channels", {dy, w}, {dx});
  t.step("scale_channels_grad_weight", {dy, x}, {dw});
}
void add_spread(TinyPlan& t) {
  const Shape spread{batch, 4, 1, 1};
  const int x = t.value("x", image_shape), s = t.value("s", spread), y = t.value("y", image_shape),
            dy = t.value("dy", image_shape);
  const int ds = t.value("ds", spread);
  t.step("add_spread", {x, s}, {y});
  t.step("multiply_grad_scale", {dy}, {ds});
}
void of_input(TinyPlan& t, const std::string& kernel, const Shape& out, const StepAttrs& attrs) {
  const int x = t.value("x", image_shape), y = t.value("y", out), dy = t.value("dy", out),
            dx = t.value("dx", image_shape);
  t.step(kernel, {x}, {y}, attrs);
  t.step(kernel + "_grad", {dy, x}, {dx}, attrs);
}
void moved_elements(TinyPlan& t, const std::string& kernel, const Shape& out, const StepAttrs& attrs,
                    const std::string& back, const StepAttrs& back_attrs) {
  const int x = t.value("x", image_shape), y = t.value("y", out), dy = t.value("dy", out),
            dx = t.value("dx", image_shape);
  t.step(kernel, {x}, {y}, attrs);
  t.step(back, {dy}, {dx}, back_attrs);
}
void channel_norm(TinyPlan& t) {
  const Shape c{4};
  const int x = t.value("x", image_shape), w = t.value("w", c, Role::saved, false),
            b = t.value("b", c, Role::saved, false);
  const int saved = t.value("mean_invstd", {batch, 2, 6, 5}, Role::saved), y = t.value("y", image_shape),
            dy = t.value("dy", image_shape), dx = t.value("dx", image_shape);
  const int dw = t.value("dw", c, Role::saved, false), db = t.value("db", c, Role::saved, false);
  t.step("channel_norm", {x, w, b}, {y, saved}, {{"eps", 1e-5}});
  t.step("channel_norm_grad_input", {dy, x, saved, w}, {dx});
  t.step("channel_norm_grad_weight", {dy, x, saved}, {dw, db});
}
void linear_of_pixels(TinyPlan& t) {
  const Shape out{batch, 3, 6, 5}, weights{3, 4};
  const int x = t.value("x", image_shape), w = t.value("w", weights, Role::saved, false),
            b = t.value("b", {3}, Role::saved, false);
  const int y = t.value("y", out), dy = t.value("dy", out), dx = t.value("dx", image_shape);
  const int dw = t.value("dw", weights, Role::saved, false), db = t.value("db", {3}, Role::saved, false);
  t.step("linear", {x, w, b}, {y});
  t.step("linear_grad_input", {dy, w}, {dx});
  t.step("linear_grad_weight", {dy, x}, {dw, db});
}
void add_tokens(TinyPlan& t) {
  const int x = t.value("x", image_shape), w = t.value("w", {1, 3, 4}, Role::saved, false),
            y = t.value("y", image_shape), dy = t.value("dy", image_shape),
            dw = t.value("dw", {1, 3, 4}, Role::saved, false);
  t.step("add_tokens", {x, w}, {y});
  t.step("add_tokens_grad_weight", {dy}, {dw});
}
void attention(TinyPlan& t) {
  const Shape all{batch, 12, 7, 1}, one{batch, 4, 7, 1};
  const StepAttrs attrs{{"heads", std::int64_t{2}}};
  const int x = t.value("x", all), y = t.value("y", one), p = t.value("p", {batch, 2 * 7 * 7}, Role::saved),
            dy = t.value("dy", one), dx = t.value("dx", all);
  t.step("attention", {x}, {y, p}, attrs);
  t.step("attention_grad", {dy, x, p}, {dx}, attrs);
}
Check resampled(const std::string& kernel, const Shape& out, const StepAttrs& attrs = {},
                const std::string& suffix = "") {
  return {kernel + suffix, [=](TinyPlan& t) { pool(t, kernel, attrs, out); }};
}

/// A row of kernels/math/activation.hpp, its parameters in the middle of the range that tests draw from.
template <class Formula>
Check row() {
  StepAttrs attrs;
  for (const math::Parameter& p : Formula::info.parameters)
    if (p.name) attrs[p.name] = (p.low + p.high) / 2;
  return elementwise(math::kernel_name<Formula>, Formula::info.gradient_reads == math::Operand::y, attrs);
}

std::vector<Check> checks() {
#define NW_ROW_CHECK(name, Formula, ...) row<math::Formula>(),
  std::vector<Check> all{NW_ELEMENT_KERNELS(NW_ROW_CHECK)};
#undef NW_ROW_CHECK
  const std::vector<Check> others{
      elementwise("softmax", true),
      {"conv2d_input", convolution},
      {"conv2d_weight", convolution, "w", "dw"},
      {"conv2d_bias", convolution, "b", "db"},
      {"linear_input", linear},
      {"linear_weight", linear, "w", "dw"},
      {"linear_bias", linear, "b", "db"},
      {"batch_norm_input", batch_norm},
      {"batch_norm_weight", batch_norm, "w", "dw"},
      {"batch_norm_bias", batch_norm, "b", "db"},
      {"concat", concat_and_slice},
      {"flatten", flatten},
      {"max_pool2d",
       [](TinyPlan& t) {
         pool(t, "max_pool2d", window(0), {batch, 4, 3, 6});
       },
       "x", "dx", 1e-3f},
      {"avg_pool2d",
       [](TinyPlan& t) {
         pool(t, "avg_pool2d", window(0), {batch, 4, 3, 6});
       }},
      {"avg_pool2d_padded",
       [](TinyPlan& t) {
         pool(t, "avg_pool2d", window(1), {batch, 4, 3, 6});
       }},
      {"global_avg_pool2d",
       [](TinyPlan& t) {
         pool(t, "global_avg_pool2d", {}, {batch, 4, 1, 1});
       }},
      {"conv_transpose2d_input", conv_transpose},
      {"conv_transpose2d_weight", conv_transpose, "w", "dw"},
      {"conv_transpose2d_bias", conv_transpose, "b", "db"},
      {"layer_norm_input", layer_norm},
      {"layer_norm_weight", layer_norm, "w", "dw"},
      {"layer_norm_bias", layer_norm, "b", "db"},
      {"group_norm_input", group_norm},
      {"group_norm_weight", group_norm, "w", "dw"},
      {"group_norm_bias", group_norm, "b", "db"},
      {"prelu_input", prelu},
      {"prelu_weight", prelu, "w", "dw"},
      {"multiply_image", multiply},
      {"multiply_scale", multiply, "s", "ds"},
      {"scale_channels_input", scale_channels},
      {"scale_channels_weight", scale_channels, "w", "dw"},
      {"add_spread", add_spread, "s", "ds"},
      {"global_max_pool2d",
       [](TinyPlan& t) {
         of_input(t, "global_max_pool2d", {batch, 4, 1, 1}, {});
       },
       "x", "dx", 1e-3f},
      {"local_response_norm",
       [](TinyPlan& t) {
         of_input(t, "local_response_norm", image_shape,
                  {{"size", std::int64_t{3}}, {"alpha", 0.5}, {"beta", 0.75}, {"k", 1.0}});
       }},
      {"slice",
       [](TinyPlan& t) {
         const StepAttrs begin{{"begin", std::int64_t{1}}};
         moved_elements(t, "slice", {batch, 2, 6, 5}, begin, "slice_grad", begin);
       }},
      {"reshape",
       [](TinyPlan& t) {
         moved_elements(t, "reshape", {batch, 3, 4, 10}, {}, "reshape", {});
       }},
      {"transpose",
       [](TinyPlan& t) {
         const StepAttrs dims{{"first", std::int64_t{1}}, {"second", std::int64_t{3}}};
         moved_elements(t, "transpose", {batch, 5, 6, 4}, dims, "transpose", dims);
       }},
      {"channel_shuffle",
       [](TinyPlan& t) {
         moved_elements(t, "channel_shuffle", image_shape, {{"groups", std::int64_t{2}}}, "channel_shuffle",
                        {{"groups", std::int64_t{2}}});
       }},
      {"channel_norm_input", channel_norm},
      {"channel_norm_weight", channel_norm, "w", "dw"},
      {"channel_norm_bias", channel_norm, "b", "db"},
      {"linear_of_pixels_input", linear_of_pixels},
      {"linear_of_pixels_weight", linear_of_pixels, "w", "dw"},
      {"linear_of_pixels_bias", linear_of_pixels, "b", "db"},
      {"add_tokens", add_tokens, "w", "dw"},
      {"attention", attention},
      resampled("adaptive_avg_pool2d", {batch, 4, 4, 7}),
      resampled("zero_pad2d", {batch, 4, 9, 6}, {{"padding", List{2, 1}}}),
      resampled("upsample", {batch, 4, 12, 15}, {{"mode", std::string("nearest")}}, "_nearest"),
      resampled("upsample", {batch, 4, 12, 15}, {{"mode", std::string("bilinear")}}, "_bilinear")};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

class FiniteDifferences : public testing::TestWithParam<Check> {};

TEST_P(FiniteDifferences, AgreeWithTheGradient) {
  const Check& c = GetParam();
  TinyPlan tiny(batch);
  c.build(tiny);
  Bench b(tiny, *device_of(reference_backend()), 1);
  for (std::size_t i = 0; i < b.plan().values.size(); ++i) {
    const Value& v = b.plan().values[i];
    if (v.producer < 0 && v.dtype == DType::f32)
      b.write_bytes(static_cast<int>(i), noise(v.shape.elements(), static_cast<unsigned>(i) + 3));
  }
  const std::vector<float> x = b.read(c.input), dy = b.read("dy"), v = noise(static_cast<std::int64_t>(x.size()), 99);
  const auto value_at = [&](const std::vector<float>& at) {
    b.write(c.input, at);
    EXPECT_TRUE(static_cast<bool>(b.executable().run(args_for(batch))));
    return dot(b.read("y"), dy);
  };
  const double slope = (value_at(moved(x, v, c.h)) - value_at(moved(x, v, -c.h))) / (2 * static_cast<double>(c.h));
  value_at(x);
  const std::vector<float> gradient = b.read(c.gradient);
  const double size = std::sqrt(dot(gradient, gradient) * dot(v, v));
  EXPECT_GT(size, 0.0);
  EXPECT_NEAR(dot(gradient, v), slope, 4e-3 * size);
}

INSTANTIATE_TEST_SUITE_P(Reference, FiniteDifferences, testing::ValuesIn(checks()),
                         [](const auto& info) { return info.param.name; });

// ---- losses: the metric is the function
class LossDifferences : public testing::TestWithParam<std::string> {};

TEST_P(LossDifferences, AgreeWithTheGradientOfTheMeanLoss) {
  const bool shares = GetParam() == "cross_entropy_of_shares", labels = GetParam() == "cross_entropy";
  TinyPlan tiny(5);
  const int x = tiny.value("x", {5, 4}), dx = tiny.value("dx", {5, 4});
  const int wanted =
      labels ? tiny.value("labels", {5}, Role::input, true, DType::i64) : tiny.value("targets", {5, 4}, Role::input);
  tiny.step(shares ? "cross_entropy" : GetParam(), {x, wanted}, {dx},
            labels || shares ? StepAttrs{{"label_smoothing", 0.1}} : StepAttrs{});
  Bench b(tiny, *device_of(reference_backend()), 1);
  if (labels)
    b.write_bytes(wanted, std::vector<std::int64_t>{0, 3, 2, 1, 3});
  else if (shares)
    b.write_bytes(wanted, std::vector<float>{1, 0,    0,    0,    0.25f, 0.75f, 0, 0, 0, 0.5f,
                                             0, 0.5f, 0.1f, 0.2f, 0.3f,  0.4f,  0, 0, 1, 0});
  else
    b.write_bytes(wanted, std::vector<float>{1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1, 0});
  const std::vector<float> at = noise(20, 4), v = noise(20, 5);
  const auto mean_loss = [&](const std::vector<float>& p) {
    b.write_bytes(x, p);
    EXPECT_TRUE(static_cast<bool>(b.executable().run(args_for(5))));
    return b.executable().metrics().loss_sum / 5;
  };
  const double slope = (mean_loss(moved(at, v, 1e-3f)) - mean_loss(moved(at, v, -1e-3f))) / 2e-3;
  mean_loss(at);
  EXPECT_NEAR(dot(b.read(dx), v), slope, 1e-4 * std::abs(slope) + 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Reference, LossDifferences,
                         testing::Values("cross_entropy", "cross_entropy_of_shares", "bce_with_logits", "mse"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace nw::test
