// SPDX-License-Identifier: Apache-2.0
// Fuses several steps into one where the device supports it, so that the values between them are not stored. Results
// are bitwise equal. A value that another step reads is still stored.
#include <algorithm>

#include "engine/compile/context.hpp"

namespace nw::compiling {
namespace {

using List = std::vector<std::int64_t>;

bool windows_side_by_side(const Step& pool) {
  return std::get<List>(pool.attrs.at("kernel")) == std::get<List>(pool.attrs.at("stride")) &&
         std::get<List>(pool.attrs.at("padding")) == List{0, 0};
}

class FusionPass {
 public:
  FusionPass(Plan& plan, const Device& device)
      : plan_(plan), device_(device), steps_(plan.steps), readers_(plan.values.size()), maker_(plan.values.size(), -1) {
    for (int i = 0; i < static_cast<int>(steps_.size()); ++i) enter(i);
  }

  /// Gradients first: afterwards fewer values are read by gradients, and forward steps need not write the others.
  void run() {
    for (int i = 0; i < static_cast<int>(steps_.size()); ++i)
      if (step(i).kernel == "relu_grad") fuse_gradient(i);
    for (int i = 0; i < static_cast<int>(steps_.size()); ++i)
      if (step(i).kernel == "relu") fuse_forward(i);
    std::erase_if(steps_, [](const Step& s) { return s.kernel.empty(); });
  }

 private:
  Step& step(int i) { return steps_[static_cast<std::size_t>(i)]; }
  std::vector<int>& readers(int v) { return readers_[static_cast<std::size_t>(v)]; }
  int maker(int v) const { return maker_[static_cast<std::size_t>(v)]; }
  bool made_by(int v, std::string_view kernel) { return maker(v) >= 0 && step(maker(v)).kernel == kernel; }
  bool read_only_by(int v, int i) { return readers(v) == std::vector<int>{i}; }

  void enter(int i) {
    for (const int v : step(i).inputs)
      if (v >= 0) readers(v).push_back(i);
    for (const int v : step(i).outputs)
      if (v >= 0) maker_[static_cast<std::size_t>(v)] = i;
  }
  void leave(int i) {
    for (const int v : step(i).inputs)
      if (v >= 0) std::erase(readers(v), i);
    for (const int v : step(i).outputs)
      if (v >= 0) maker_[static_cast<std::size_t>(v)] = -1;
    step(i) = {};
  }

  /// The fused step takes the position of the last step in `old`, where all inputs are computed. Returns false if the
  /// device has no such kernel.
  bool replace(std::vector<int> old, int first, std::string kernel, std::vector<int> inputs, std::vector<int> outputs,
               StepAttrs more = {}) {
    Step fused = step(first);
    fused.kernel = std::move(kernel);
    fused.inputs = std::move(inputs);
    fused.outputs = std::move(outputs);
    fused.attrs.merge(more);
    if (!device_.supports(plan_, fused).empty()) return false;
    for (const int i : old) leave(i);
    const int at = *std::max_element(old.begin(), old.end());
    step(at) = std::move(fused);
    enter(at);
    return true;
  }

  void fuse_gradient(int i) {
    const int dy = step(i).inputs[0], y = step(i).inputs[1], dx = step(i).outputs[0], before = maker(dy);
    if (before < 0 || !read_only_by(dy, i) || !fuse_gradient_with(i, before, y, dx))
      fuse_with_pool_before_relu(i, dy, y, dx);
  }

  bool fuse_gradient_with(int i, int before, int y, int dx) {
    std::vector<int> in = step(before).inputs;
    const std::string& kernel = step(before).kernel;
    if (kernel == "conv2d_grad_input" || kernel == "linear_grad_input") {
      in.push_back(y);
      return replace({before, i}, before, kernel + "_relu", in, {dx});
    }
    if (kernel == "add") {
      in.insert(in.begin(), y);
      return replace({before, i}, before, "add_relu_grad", in, {dx});
    }
    if (kernel != "max_pool2d_grad" || !made_by(in[1], "max_pool2d") || step(maker(in[1])).inputs[0] != y) return false;
    in.push_back(step(maker(in[1])).outputs[0]);  // zero where the ReLU's output was zero
    return replace({before, i}, before, "max_pool2d_relu_grad", in, {dx});
  }

  /// The pool precedes the ReLU in the network.
  void fuse_with_pool_before_relu(int i, int dy, int y, int dx) {
    if (readers(dx).size() != 1) return;
    const int pool_grad = readers(dx)[0];
    if (step(pool_grad).kernel != "max_pool2d_grad") return;
    replace({i, pool_grad}, pool_grad, "max_pool2d_relu_grad", {dy, step(pool_grad).inputs[1], y},
            step(pool_grad).outputs);
  }

  void fuse_forward(int i) {
    const int x = step(i).inputs[0], y = step(i).outputs[0], before = maker(x);
    if (before < 0 || !read_only_by(x, i)) return;
    const std::string kernel = step(before).kernel;
    const std::vector<int> in = step(before).inputs;
    if (kernel == "conv2d" && readers(y).size() == 1 && fuse_pool(before, i, readers(y)[0], {before, i, readers(y)[0]}))
      return;
    if (kernel == "max_pool2d" && read_only_by(in[0], before) && made_by(in[0], "conv2d") &&
        fuse_pool(maker(in[0]), i, before, {maker(in[0]), before, i}))
      return;
    if (kernel == "add" && fuse_residual(i, before, in)) return;
    for (const char* one : {"conv2d", "linear", "batch_norm_apply", "batch_norm_inference", "add"})
      if (kernel == one && replace({before, i}, before, kernel + "_relu", in, {y})) return;
  }

  /// A convolution, a ReLU and a pool, in either order: ReLU and maximum commute.
  bool fuse_pool(int conv, int relu, int pool, const std::vector<int>& old) {
    if (step(pool).kernel != "max_pool2d" || !windows_side_by_side(step(pool))) return false;
    std::vector<int> out = step(pool).outputs;
    if (pool < relu) out[0] = step(relu).outputs[0];
    return replace(old, conv, "conv2d_max_pool2d_relu", step(conv).inputs, out,
                   {{"window", step(pool).attrs.at("kernel")}});
  }

  /// A sum of two values of which one is the output of a batch norm; if both are, the later one is used.
  bool fuse_residual(int relu, int add, const std::vector<int>& terms) {
    if (terms.size() != 2 || terms[0] == terms[1]) return false;
    const bool swap = maker(terms[0]) > maker(terms[1]);
    for (const int norm_term : {swap ? terms[0] : terms[1], swap ? terms[1] : terms[0]}) {
      const int norm = maker(norm_term), other = norm_term == terms[0] ? terms[1] : terms[0];
      if (!read_only_by(norm_term, add) ||
          !(made_by(norm_term, "batch_norm_apply") || made_by(norm_term, "batch_norm_inference")))
        continue;
      std::vector<int> in = step(norm).inputs;
      in.push_back(other);
      if (replace({norm, add, relu}, norm, step(norm).kernel + "_relu", in, step(relu).outputs)) return true;
    }
    return false;
  }

  Plan& plan_;
  const Device& device_;
  std::vector<Step>& steps_;
  std::vector<std::vector<int>> readers_;  // steps that read each value
  std::vector<int> maker_;                 // the step that computes each value; -1 if none does
};

}  // namespace

void fuse_steps(Plan& plan, const Device& device) {
  FusionPass(plan, device).run();
  drop_unused(plan, true);
}

}  // namespace nw::compiling
