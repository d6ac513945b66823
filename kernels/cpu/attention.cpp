// SPDX-License-Identifier: Apache-2.0
// Attention of one shard: 16 sequences side by side, so every product of two matrices is the one that weight gradients
// of convolutions take before their lanes are added (VectorKernels::weight_gradient). With P^T[j][i] the weight of
// token j in token i: P^T = softmax over j of K^T Q scale, Y = V P^T.
#include <cmath>
#include <numeric>

#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

/// A matrix of vectors of 16 lanes in memory of a shard: element (row, column) is at row * row_floats + column * 16.
struct Matrix {
  float* p;
  std::int64_t rows, columns;
  std::int64_t row_floats() const { return columns * shard_samples; }
};

class Attention {
 public:
  Attention(const KernelContext& c, const Lanes& all, const Lanes& result)
      : k_(vector_of(c)),
        all_(all),
        result_(result),
        heads_(int_attr(c.step.attrs, "heads")),
        tokens_(all.pixels()),
        width_(result.channels / heads_) {
    for (std::int64_t i = 0; i < std::max(tokens_, width_); ++i) {
      near_.push_back(static_cast<std::int32_t>(i * shard_samples));
      far_.push_back(static_cast<std::int32_t>(i * tokens_ * shard_samples));
    }
  }
  std::int64_t heads() const { return heads_; }
  std::int64_t weights_floats() const { return tokens_ * tokens_ * shard_samples; }  // of a head
  double cycles() const {                                                            // of one product of all heads
    return 0.5 * static_cast<double>(heads_ * tokens_ * tokens_ * width_);
  }

  void forward(std::int64_t shard, std::int64_t head, float* weights) const {
    const Matrix q = part(all_, shard, 0, head), key = part(all_, shard, 1, head), v = part(all_, shard, 2, head),
                 y = part(result_, shard, 0, head), p{weights, tokens_, tokens_};
    over_features(key, q, p);
    k_.scale(weights, weights_floats(), scale());
    k_.softmax(weights, weights, tokens_, tokens_);
    over_keys(v, p, y);
  }

  /// `weights` of the forward pass; `scratch`: weights_floats().
  void backward(std::int64_t shard, std::int64_t head, const Lanes& gradient, const float* weights, const Lanes& dy,
                float* scratch) const {
    const Matrix q = part(all_, shard, 0, head), key = part(all_, shard, 1, head), v = part(all_, shard, 2, head),
                 out = part(dy, shard, 0, head), p{const_cast<float*>(weights), tokens_, tokens_},
                 ds{scratch, tokens_, tokens_};
    over_queries(out, p, part(gradient, shard, 2, head));
    over_features(v, out, ds);
    k_.softmax_gradient(scratch, weights, scratch, tokens_, tokens_);
    k_.scale(scratch, weights_floats(), scale());
    over_keys(key, ds, part(gradient, shard, 0, head));
    over_queries(q, ds, part(gradient, shard, 1, head));
  }

 private:
  float scale() const { return static_cast<float>(1 / std::sqrt(static_cast<double>(width_))); }
  /// Queries (0), keys (1) or values (2) of a head: rows are features, columns tokens.
  Matrix part(const Lanes& of, std::int64_t shard, std::int64_t which, std::int64_t head) const {
    return {of.shard(shard) + (which * heads_ + head) * width_ * tokens_ * shard_samples, width_, tokens_};
  }
  /// to[j][i] = sum over features d of a[d][j] b[d][i]
  void over_features(const Matrix& a, const Matrix& b, const Matrix& to) const {
    multiply(a.p, shard_samples, a.row_floats(), b.p, b.row_floats(), 0, width_, 1, near_.data(), to);
  }
  /// to[d][i] = sum over tokens j of a[d][j] weights[j][i]
  void over_keys(const Matrix& a, const Matrix& weights, const Matrix& to) const {
    multiply(a.p, a.row_floats(), 0, weights.p, 0, weights.row_floats(), 1, tokens_, near_.data(), to);
  }
  /// to[d][j] = sum over tokens i of a[d][i] weights[j][i]
  void over_queries(const Matrix& a, const Matrix& weights, const Matrix& to) const {
    multiply(a.p, a.row_floats(), 0, weights.p, 0, shard_samples, 1, tokens_, far_.data(), to);
  }
  void multiply(const float* a, std::int64_t a_out, std::int64_t a_row, const float* b, std::int64_t b_row,
                std::int64_t b_pixel, std::int64_t rows, std::int64_t row_pixels, const std::int32_t* columns,
                const Matrix& to) const {
    std::fill_n(to.p, to.rows * to.row_floats(), 0.0f);
    k_.weight_gradient(
        {a, a_out, a_row, 0, b, columns, b_row, b_pixel, 0, 1, rows, row_pixels, to.rows, to.columns, to.p});
  }

  const VectorKernels& k_;
  Lanes all_, result_;
  std::int64_t heads_, tokens_, width_;
  std::vector<std::int32_t> near_, far_;  // offsets of adjacent elements, and of adjacent rows of the weights
};

PreparedKernel attention(KernelContext& c) {
  const auto a = std::make_shared<const Attention>(c, in(c, 0), out(c, 0));
  float* saved = c.out(1);
  const RunState& state = c.state;
  if (!saved) c.need_worker_scratch(a->weights_floats() * 4);
  return {{per_shard(c, 2 * a->cycles(),
                     [=, &state](std::int64_t s, Part part, int worker) {
                       auto* scratch = reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]);
                       for (std::int64_t h = part.begin(a->heads()); h < part.end(a->heads()); ++h)
                         a->forward(s, h, saved ? saved + (s * a->heads() + h) * a->weights_floats() : scratch);
                     })},
          ""};
}

PreparedKernel attention_grad(KernelContext& c) {
  const Lanes dy = in(c, 0), weights = in(c, 2), dx = out(c, 0);
  const auto a = std::make_shared<const Attention>(c, in(c, 1), dy);
  const RunState& state = c.state;
  c.need_worker_scratch(a->weights_floats() * 4);
  return {{per_shard(c, 4 * a->cycles(),
                     [=, &state](std::int64_t s, Part part, int worker) {
                       auto* scratch = reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]);
                       for (std::int64_t h = part.begin(a->heads()); h < part.end(a->heads()); ++h)
                         a->backward(s, h, dx, weights.shard(s) + h * a->weights_floats(), dy, scratch);
                     })},
          ""};
}

// ---- weights for tokens: w is (tokens, features) as in PyTorch's files, a shard is [features][tokens][16]
PreparedKernel add_tokens(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const float* w = c.in(1);
  const std::int64_t tokens = c.in_value(1).shape.elements() / x.channels;
  return {{per_shard(c,
                     [=](std::int64_t s, int) {
                       const float* from = x.shard(s);
                       float* to = y.shard(s);
                       for (std::int64_t v = 0; v < x.per_sample(); ++v, from += shard_samples, to += shard_samples) {
                         const std::int64_t d = v / x.pixels(), token = v % x.pixels();
                         const float more = token < tokens ? w[token * x.channels + d] : 0.0f;
                         for (std::int64_t lane = 0; lane < shard_samples; ++lane) to[lane] = from[lane] + more;
                       }
                     })},
          ""};
}

PreparedKernel add_tokens_grad_weight(KernelContext& c) {
  const Lanes dy = in(c, 0);
  float* dw = c.out(0);
  const std::int64_t count = c.out_value(0).shape.elements(), tokens = count / dy.channels;
  auto* partial = c.own<float>(shards_for(c.plan.batch) * count);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const auto shard = [=, &state](std::int64_t s, int) {
    for (std::int64_t d = 0; d < dy.channels; ++d)
      for (std::int64_t token = 0; token < tokens; ++token) {
        const float* from = dy.shard(s) + (d * dy.pixels() + token) * shard_samples;
        partial[s * count + token * dy.channels + d] = std::accumulate(from, from + valid_lanes(state, s), 0.0f);
      }
  };
  return {
      {per_shard(c, shard), serial([=, &k, &state] { k.sum_parts(partial, count, state.active_shards, count, dw); })},
      ""};
}

}  // namespace

KernelTable attention_kernels() {
  return {{"add_tokens", add_tokens},
          {"add_tokens_grad_weight", add_tokens_grad_weight, always_alone},
          {"attention", attention},
          {"attention_grad", attention_grad}};
}

}  // namespace nw::cpu
