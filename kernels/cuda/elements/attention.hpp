// SPDX-License-Identifier: Apache-2.0
// Sequences: tokens are the pixels of an image whose channels are the features. Scaled dot-product attention (Vaswani
// et al., 2017, 3.2.1); T is the type of storage.
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// Index: an element of y. The first `count` elements of a sample have a weight, in the same order.
template <class T>
struct AddTokens {
  const T* x;
  const float* weight;
  T* y;
  i64 per_sample, count;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const i64 e = i % per_sample;
    y[i] = static_cast<float>(x[i]) + (e < count ? weight[e] : 0.0f);
  }
};
/// Index: a weight.
template <class T>
struct AddTokensGradWeight {
  const T* dy;
  float* dw;
  i64 per_sample;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 e) const {
    double sum = 0;
    for (i64 n = 0; n < block->valid; ++n) sum += static_cast<float>(dy[n * per_sample + e]);
    dw[e] = static_cast<float>(sum);
  }
};

/// Queries, keys and values of a token are adjacent: `features` numbers each, in heads of `width`. The weight of token
/// j in token i is at (sample, head, j, i).
struct HeadShape {
  i64 heads, tokens, features, width;
  float scale;
  NW_HOST_DEVICE i64 weights() const { return tokens * tokens; }
  NW_HOST_DEVICE i64 all(i64 n, i64 part, i64 head, i64 token) const {
    return ((n * tokens + token) * 3 + part) * features + head * width;
  }
  NW_HOST_DEVICE i64 result(i64 n, i64 head, i64 token) const { return (n * tokens + token) * features + head * width; }
};
template <class A, class B>
NW_HOST_DEVICE inline float dot_of(const A* a, const B* b, i64 count) {
  LongSum sum;
  for (i64 d = 0; d < count; ++d) sum.add(static_cast<float>(a[d]) * static_cast<float>(b[d]));
  return static_cast<float>(sum.value());
}
/// Index: a weight, at (sample, head, j, i). Before the softmax.
template <class T>
struct AttentionScores {
  HeadShape s;
  const T* x;
  float* weights;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 i = index % s.tokens, j = index / s.tokens % s.tokens, head = index / s.weights() % s.heads,
              n = index / s.weights() / s.heads;
    weights[index] = s.scale * dot_of(x + s.all(n, 0, head, i), x + s.all(n, 1, head, j), s.width);
  }
};
/// Index: an element of y.
template <class T>
struct AttentionResult {
  HeadShape s;
  const T* x;
  const float* weights;
  T* y;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 at = index % s.features, i = index / s.features % s.tokens, n = index / s.features / s.tokens,
              head = at / s.width, d = at % s.width;
    const float* w = weights + (n * s.heads + head) * s.weights() + i;
    LongSum sum;
    for (i64 j = 0; j < s.tokens; ++j) sum.add(w[j * s.tokens] * static_cast<float>(x[s.all(n, 2, head, j) + d]));
    y[index] = static_cast<float>(sum.value());
  }
};
/// Index: a weight, at (sample, head, j, i): its gradient.
template <class T>
struct AttentionGradWeights {
  HeadShape s;
  const T *dy, *x;
  float* gradient;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 i = index % s.tokens, j = index / s.tokens % s.tokens, head = index / s.weights() % s.heads,
              n = index / s.weights() / s.heads;
    gradient[index] = dot_of(dy + s.result(n, head, i), x + s.all(n, 2, head, j), s.width);
  }
};
/// Index: an element of dx: a query's, a key's or a value's gradient.
template <class T>
struct AttentionGradInput {
  HeadShape s;
  const T *dy, *x;
  const float *weights, *scores;  // scores: their gradient
  T* dx;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 at = index % s.features, part = index / s.features % 3, token = index / s.features / 3 % s.tokens,
              n = index / s.features / 3 / s.tokens, head = at / s.width, d = at % s.width,
              first = (n * s.heads + head) * s.weights();
    LongSum sum;
    for (i64 other = 0; other < s.tokens; ++other) {
      if (part == 0)
        sum.add(scores[first + other * s.tokens + token] * static_cast<float>(x[s.all(n, 1, head, other) + d]));
      else if (part == 1)
        sum.add(scores[first + token * s.tokens + other] * static_cast<float>(x[s.all(n, 0, head, other) + d]));
      else
        sum.add(weights[first + token * s.tokens + other] * static_cast<float>(dy[s.result(n, head, other) + d]));
    }
    dx[index] = static_cast<float>(sum.value());
  }
};

}  // namespace nw::cuda
