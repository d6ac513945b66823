// SPDX-License-Identifier: Apache-2.0
// LeNet-5 and a small ResNet-like network as plans written by hand, for tests of whole steps.
#pragma once
#include "tests/support/tiny_plan.hpp"

namespace nw::test {

using List = std::vector<std::int64_t>;
inline StepAttrs conv_attrs(std::int64_t stride = 1, std::int64_t padding = 0) {
  return {{"stride", List{stride, stride}},
          {"padding", List{padding, padding}},
          {"dilation", List{1, 1}},
          {"groups", std::int64_t{1}}};
}
inline StepAttrs pool_attrs() { return {{"kernel", List{2, 2}}, {"stride", List{2, 2}}, {"padding", List{0, 0}}}; }

/// Builds forward steps and records the corresponding backward steps.
class NetBuilder {
 public:
  NetBuilder(std::int64_t batch, Shape image, bool training = true) : tiny(batch), training_(training) {
    image[0] = batch;
    tiny.plan.training = training;
    x_ = tiny.value("images", image, Role::input);
  }
  TinyPlan tiny;

  void conv(const std::string& name, std::int64_t outs, std::int64_t kernel, std::int64_t stride = 1,
            std::int64_t padding = 0) {
    const Shape in = shape(x_);
    const std::int64_t h = (in[2] + 2 * padding - kernel) / stride + 1, w = (in[3] + 2 * padding - kernel) / stride + 1;
    weighted("conv2d", name, {outs, in[1], kernel, kernel}, {in[0], outs, h, w}, conv_attrs(stride, padding));
  }
  void linear(const std::string& name, std::int64_t outs) {
    const Shape in = shape(x_);
    weighted("linear", name, {outs, in[1]}, {in[0], outs}, {});
  }
  void activation(const std::string& kernel, const StepAttrs& attrs = {}) {
    const int x = x_, y = forward(kernel, {x}, shape(x), attrs);
    const bool of_y = kernel == "relu" || kernel == "tanh" || kernel == "sigmoid";
    back_.push_back([kernel, attrs, x, y, of_y](NetBuilder& n, int dy) {
      return n.backward(kernel + "_grad", {dy, of_y ? y : x}, x, attrs);
    });
  }
  void dropout(double p) {
    const StepAttrs attrs{{"p", p}, {"key", std::int64_t{77}}};
    const int x = x_;
    forward("dropout", {x}, shape(x), attrs);
    back_.push_back([attrs, x](NetBuilder& n, int dy) { return n.backward("dropout", {dy}, x, attrs); });
  }
  void max_pool() {
    const int x = x_;
    const Shape in = shape(x), out{in[0], in[1], in[2] / 2, in[3] / 2};
    const int argmax = tiny.value(fmt::format("argmax {}", x), out, Role::saved, true, DType::u8);
    x_ = tiny.value(fmt::format("pool {}", x), out);
    tiny.step("max_pool2d", {x}, {x_, argmax}, pool_attrs());
    back_.push_back([argmax, x](NetBuilder& n, int dy) {
      return n.backward("max_pool2d_grad", {dy, argmax}, x, pool_attrs());
    });
  }
  void global_pool() {
    const int x = x_;
    forward("global_avg_pool2d", {x}, {shape(x)[0], shape(x)[1], 1, 1});
    back_.push_back([x](NetBuilder& n, int dy) { return n.backward("global_avg_pool2d_grad", {dy}, x, {}); });
  }
  void flatten() {
    const int x = x_;
    forward("flatten", {x}, {shape(x)[0], shape(x).per_sample()});
    back_.push_back([x](NetBuilder& n, int dy) { return n.backward("flatten_grad", {dy}, x, {}); });
  }
  void batch_norm(const std::string& name) {
    const int x = x_;
    const Shape in = shape(x), c{in[1]};
    const StepAttrs spatial{
        {"spatial", in[2] * in[3]}, {"momentum", 0.1}, {"eps", 1e-5}, {"local", std::int64_t{own_statistics}}};
    const bool shared = tiny.plan.world > 1 && !own_statistics;
    const int w = weight(name + ".weight", c), b = weight(name + ".bias", c);
    const int mean = tiny.value(name + ".running_mean", c, Role::buffer, false),
              var = tiny.value(name + ".running_var", c, Role::buffer, false);
    const int tracked = tiny.value(name + ".num_batches_tracked", {1}, Role::buffer, false, DType::i64);
    const int stats = tiny.value(name + " stats", {2, in[1]}, Role::saved, false, DType::f64);
    const int saved = tiny.value(name + " mean_invstd", {2, in[1]}, Role::saved, false);
    if (training_) {
      tiny.step("batch_norm_stats", {x}, {stats});
      if (shared) tiny.step("all_reduce", {stats}, {});
      tiny.step("batch_norm_finalize", {stats, mean, var, tracked}, {saved}, spatial);
      forward("batch_norm_apply", {x, saved, w, b}, in);
    } else {
      forward("batch_norm_inference", {x, mean, var, w, b}, in, spatial);
    }
    back_.push_back([name, x, w, b, saved, spatial, shared](NetBuilder& n, int dy) {
      const int dstats = n.tiny.value(name + " dstats", n.shape(saved), Role::saved, false, DType::f64);
      n.tiny.step("batch_norm_grad_stats", {dy, x, saved}, {dstats});
      n.tiny.step("batch_norm_grad_weight", {dstats}, {n.grad(w), n.grad(b)});
      if (shared) n.tiny.step("all_reduce", {dstats}, {});
      return n.backward("batch_norm_grad_input", {dy, x, saved, w, dstats}, x, spatial);
    });
  }
  /// Loss, all backward steps, then the update.
  void train(const std::string& optimizer, StepAttrs attrs, double max_norm = 0, double max_value = 0) {
    const int labels = tiny.value("labels", {tiny.plan.batch}, Role::input, true, DType::i64);
    const int dx = training_ ? tiny.value("grad logits", shape(x_), Role::gradient) : -1;
    tiny.step("cross_entropy", {x_, labels}, {dx}, {{"label_smoothing", 0.0}});
    logits = x_;
    if (!training_) return;
    int dy = dx;
    for (auto it = back_.rbegin(); it != back_.rend(); ++it) dy = (*it)(*this, dy);
    if (tiny.plan.world > 1) tiny.step("all_reduce", {}, {});
    tiny.step("grad_norm", {}, {});
    if (max_value > 0) tiny.step("clip_grad_value", {}, {}, {{"limit", max_value}});
    if (max_norm > 0) tiny.step("clip_grad_norm", {}, {}, {{"max_norm", max_norm}});
    tiny.step(optimizer, {}, {}, std::move(attrs));
  }
  int logits = -1;
  bool own_statistics = false;  // several replicas: batch norm over the samples of each replica

 private:
  Shape shape(int v) const { return tiny.plan.values[static_cast<std::size_t>(v)].shape; }
  int weight(const std::string& name, const Shape& s) { return tiny.weight(name, s); }
  int grad(int w) { return tiny.weight_grad(tiny.plan.values[static_cast<std::size_t>(w)].name, shape(w)); }
  int forward(const std::string& kernel, std::vector<int> in, const Shape& out, const StepAttrs& attrs = {}) {
    x_ = tiny.value(fmt::format("{} {}", kernel, tiny.plan.values.size()), out);
    tiny.step(kernel, std::move(in), {x_}, attrs);
    return x_;
  }
  int backward(const std::string& kernel, std::vector<int> in, int x, const StepAttrs& attrs) {
    const int dx = tiny.value(fmt::format("grad {}", x), shape(x), Role::gradient);
    tiny.step(kernel, std::move(in), {dx}, attrs);
    return dx;
  }
  void weighted(const std::string& kernel, const std::string& name, const Shape& weights, const Shape& out,
                const StepAttrs& attrs) {
    const int x = x_, w = weight(name + ".weight", weights), b = weight(name + ".bias", {weights[0]});
    const bool first = x == 0;
    forward(kernel, {x, w, b}, out, attrs);
    back_.push_back([kernel, x, w, b, attrs, first](NetBuilder& n, int dy) {
      n.tiny.step(kernel + "_grad_weight", {dy, x}, {n.grad(w), n.grad(b)}, attrs);
      return first ? dy : n.backward(kernel + "_grad_input", {dy, w}, x, attrs);
    });
  }

  bool training_;
  int x_;
  std::vector<std::function<int(NetBuilder&, int dy)>> back_;
};

inline NetBuilder lenet(std::int64_t batch, bool training = true) {
  NetBuilder n(batch, {batch, 1, 28, 28}, training);
  n.conv("conv1", 6, 5);
  n.activation("relu");
  n.max_pool();
  n.conv("conv2", 16, 5);
  n.activation("relu");
  n.max_pool();
  n.flatten();
  n.linear("fc1", 120);
  n.activation("relu");
  n.linear("fc2", 84);
  n.activation("relu");
  n.linear("fc3", 10);
  return n;
}

/// Convolutions with padding and stride, batch norm, dropout, global pooling, which LeNet-5 does not have.
inline NetBuilder small_resnet(std::int64_t batch, int world = 1, bool training = true) {
  NetBuilder n(batch, {batch, 3, 12, 12}, training);
  n.tiny.plan.world = world;
  n.conv("conv1", 8, 3, 1, 1);
  n.batch_norm("bn1");
  n.activation("relu");
  n.conv("conv2", 12, 3, 2, 1);
  n.batch_norm("bn2");
  n.activation("gelu");
  n.dropout(0.2);
  n.global_pool();
  n.flatten();
  n.linear("fc", 10);
  return n;
}

/// Images larger than the processor's caches: element-wise passes process them channel by channel.
inline NetBuilder large_images(std::int64_t batch) {
  NetBuilder n(batch, {batch, 1, 28, 28});
  n.conv("conv1", 20, 1);
  n.batch_norm("bn1");
  n.activation("relu");
  n.max_pool();
  n.global_pool();
  n.flatten();
  n.linear("fc", 10);
  return n;
}

inline StepAttrs sgd_attrs() { return {{"momentum", 0.9}, {"nesterov", std::int64_t{0}}, {"l1", 0.0}, {"l2", 1e-4}}; }
inline StepAttrs adam_attrs() {
  return {{"beta1", 0.9}, {"beta2", 0.999}, {"epsilon", 1e-8}, {"l1", 0.0}, {"l2", 0.0}};
}

inline StepArgs step_args(std::int64_t step, std::int64_t valid, double rate) {
  StepArgs a = args_for(valid);
  a.step = step;
  a.learning_rate = rate;
  a.seed = 42;
  return a;
}

inline unsigned seed_of(const std::string& name) {
  unsigned h = 1;
  for (const char c : name) h = h * 31 + static_cast<unsigned char>(c);
  return h;
}

/// Weights scaled by their fan-in, variances one, the rest zero.
inline void initialise(Bench& b) {
  for (std::size_t i = 0; i < b.plan().values.size(); ++i) {
    const Value& v = b.plan().values[i];
    const bool scale = v.role == Role::weight && v.shape.rank() == 1 && v.name.find("bn") == 0 &&
                       v.name.find("weight") != std::string::npos;
    const auto count = static_cast<std::size_t>(v.shape.elements());
    if (v.role == Role::weight && v.shape.rank() > 1)
      b.write_bytes(static_cast<int>(i), noise(v.shape.elements(), seed_of(v.name),
                                               1 / std::sqrt(static_cast<float>(v.shape.per_sample()))));
    else if (scale || v.name.ends_with("running_var"))
      b.write_bytes(static_cast<int>(i), std::vector<float>(count, 1.0f));
  }
}

/// Images with a learnable class: noise with a bright row that depends on the label.
struct Digits {
  std::vector<float> images;  // host layout
  std::vector<std::int64_t> labels;
};
inline Digits digits(const Shape& images, std::int64_t first = 0) {
  const std::int64_t n = images[0], h = images[2], row = images[3] * images[1];
  Digits d;
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<float> one = noise(h * row, static_cast<unsigned>(first + i) + 100, 0.3f);
    d.labels.push_back((first + i) * 7 % 10);
    for (std::int64_t q = 0; q < row; ++q) one[static_cast<std::size_t>((d.labels.back() + 1) * row + q)] += 1.5f;
    d.images.insert(d.images.end(), one.begin(), one.end());
  }
  return d;
}

inline void load_digits(Bench& b, std::int64_t first = 0) {
  const Digits d = digits(b.plan().values[static_cast<std::size_t>(b.plan().find("images"))].shape, first);
  b.write("images", d.images);
  b.write("labels", d.labels);
}

inline std::vector<float> weights_of(const Bench& b, Role role = Role::weight) {
  std::vector<float> all;
  for (std::size_t i = 0; i < b.plan().values.size(); ++i) {
    if (b.plan().values[i].role != role || b.plan().values[i].dtype != DType::f32) continue;
    const std::vector<float> one = b.read(static_cast<int>(i));
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

}  // namespace nw::test
