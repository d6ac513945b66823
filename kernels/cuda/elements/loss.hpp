// SPDX-License-Identifier: Apache-2.0
// Losses: value, gradient of the mean over all replicas' valid samples, and whether the prediction is correct, in one
// pass. Index: a sample. Padding samples get a zero gradient and add nothing.
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"
#include "kernels/math/loss.hpp"

namespace nw::cuda {

template <class T>
NW_HOST_DEVICE inline i64 argmax(const T* x, i64 count) {
  i64 best = 0;
  for (i64 k = 1; k < count; ++k)
    if (static_cast<float>(x[k]) > static_cast<float>(x[best])) best = k;
  return best;
}

/// The members common to all losses; dx is null in a forward-only plan.
template <class T>
struct LossShape {
  const T* x;
  T* dx;
  i64 per_sample;
  LossPart* parts;
  const StepBlock* block;
  const LossScaler* scaler;  // null: the gradient is not scaled
  /// False: a padding sample, whose gradient is now written.
  NW_HOST_DEVICE bool begin(i64 n) const {
    parts[n] = {0, 0, n < block->valid ? 1 : 0};
    if (n < block->valid) return true;
    for (i64 e = n * per_sample; dx && e < (n + 1) * per_sample; ++e) dx[e] = 0;
    return false;
  }
  NW_HOST_DEVICE double scale() const { return (scaler ? scaler->scale : 1.0) / block->loss_divisor; }
};

/// Cross entropy with the fraction of each class as target, (N, classes).
template <class T>
struct SharedCrossEntropy {
  LossShape<T> s;
  const float* shares;
  double smoothing;
  NW_HOST_DEVICE void operator()(i64 n) const {
    if (!s.begin(n)) return;
    const i64 classes = s.per_sample, at = n * classes, best = argmax(s.x + at, classes);
    const double largest = static_cast<float>(s.x[at + best]), uniform = smoothing / static_cast<double>(classes),
                 scale = s.scale();
    double sum = 0, loss = 0;
    for (i64 k = 0; k < classes; ++k) sum += exp(static_cast<float>(s.x[at + k]) - largest);
    const double log_sum = log(sum);
    for (i64 e = at; e < at + classes; ++e) {
      const double log_p = static_cast<float>(s.x[e]) - largest - log_sum,
                   wanted = uniform + (1 - smoothing) * static_cast<double>(shares[e]);
      loss -= wanted * log_p;
      if (s.dx) s.dx[e] = static_cast<float>((exp(log_p) - wanted) * scale);
    }
    s.parts[n].loss = loss;
    s.parts[n].correct = best == argmax(shares + at, classes);
  }
};

/// Index: a number. Weights are part of the launch, because a captured step reads no memory of the host.
struct StoreWeights {
  static constexpr i64 most = 64;
  double weights[most];
  double* to;
  NW_HOST_DEVICE void operator()(i64 i) const { to[i] = weights[i]; }
};

/// Cross entropy with weights of classes or focus; targets are labels, or, where these are null, fractions of classes.
template <class T>
struct GeneralCrossEntropy {
  LossShape<T> s;
  const i64* labels;
  const float* shares;
  const double* weights;  // null: 1
  double smoothing, gamma;
  NW_HOST_DEVICE void operator()(i64 n) const {
    if (!s.begin(n)) return;
    const i64 classes = s.per_sample, at = n * classes, best = argmax(s.x + at, classes);
    const i64 label = labels ? labels[n] : argmax(shares + at, classes);
    const double largest = static_cast<float>(s.x[at + best]), scale = s.scale();
    double sum = 0, loss = 0, slopes = 0;
    for (i64 k = 0; k < classes; ++k) sum += exp(static_cast<float>(s.x[at + k]) - largest);
    const double log_sum = log(sum);
    for (i64 k = 0; k < classes; ++k) {
      const math::ClassTerm t = term(at, k, label, static_cast<float>(s.x[at + k]) - largest - log_sum);
      loss += t.loss;
      slopes += t.slope;
    }
    for (i64 k = 0; s.dx && k < classes; ++k) {
      const double log_p = static_cast<float>(s.x[at + k]) - largest - log_sum;
      s.dx[at + k] = static_cast<float>((term(at, k, label, log_p).slope - exp(log_p) * slopes) * scale);
    }
    s.parts[n].loss = loss;
    s.parts[n].correct = best == label;
  }
  NW_HOST_DEVICE math::ClassTerm term(i64 at, i64 k, i64 label, double log_p) const {
    const double target = !labels ? static_cast<double>(shares[at + k]) : k == label ? 1.0 : 0.0;
    const double wanted = smoothing / static_cast<double>(s.per_sample) + (1 - smoothing) * target;
    return math::class_term(weights ? weights[k] * wanted : wanted, log_p, gamma);
  }
};

template <class T>
struct BceWithLogits {
  LossShape<T> s;
  const float* targets;
  NW_HOST_DEVICE void operator()(i64 n) const {
    if (!s.begin(n)) return;
    const double per_element = 1.0 / static_cast<double>(s.per_sample), scale = s.scale();
    double loss = 0;
    bool right = true;
    for (i64 e = n * s.per_sample; e < (n + 1) * s.per_sample; ++e) {
      const double v = static_cast<float>(s.x[e]), t = targets[e];
      loss += ((v > 0 ? v : 0.0) - v * t + log1p(exp(-fabs(v)))) * per_element;
      if (s.dx) s.dx[e] = static_cast<float>((1 / (1 + exp(-v)) - t) * scale * per_element);
      right = right && (v > 0) == (t > 0.5);
    }
    s.parts[n].loss = loss;
    s.parts[n].correct = right;
  }
};

/// The same with weights of targets that are 1, or focus.
template <class T>
struct GeneralBce {
  LossShape<T> s;
  const float* targets;
  const double* weights;  // null: 1
  double gamma;
  NW_HOST_DEVICE void operator()(i64 n) const {
    if (!s.begin(n)) return;
    const double per_element = 1.0 / static_cast<double>(s.per_sample), scale = s.scale();
    double loss = 0;
    bool right = true;
    for (i64 k = 0; k < s.per_sample; ++k) {
      const i64 e = n * s.per_sample + k;
      const double v = static_cast<float>(s.x[e]), t = targets[e];
      const math::BinaryTerm term = math::binary_term(v, t, weights ? weights[k] : 1.0, gamma);
      loss += term.loss * per_element;
      if (s.dx) s.dx[e] = static_cast<float>(term.slope * scale * per_element);
      right = right && (v > 0) == (t > 0.5);
    }
    s.parts[n].loss = loss;
    s.parts[n].correct = right;
  }
};

template <class T>
struct Mse {
  LossShape<T> s;
  const float* targets;
  NW_HOST_DEVICE void operator()(i64 n) const {
    if (!s.begin(n)) return;
    const double per_element = 1.0 / static_cast<double>(s.per_sample), scale = s.scale();
    double loss = 0;
    for (i64 e = n * s.per_sample; e < (n + 1) * s.per_sample; ++e) {
      const double d = static_cast<double>(static_cast<float>(s.x[e])) - targets[e];
      loss += d * d * per_element;
      if (s.dx) s.dx[e] = static_cast<float>(2 * d * scale * per_element);
    }
    const T* row = s.x + n * s.per_sample;
    const float* wanted = targets + n * s.per_sample;
    const bool right = s.per_sample > 1 ? argmax(row, s.per_sample) == argmax(wanted, s.per_sample)
                                        : fabsf(static_cast<float>(row[0]) - wanted[0]) < 0.5f;
    s.parts[n].loss = loss;
    s.parts[n].correct = right;
  }
};

/// Index 0: prevents the update of the weights if a loss is not finite.
struct JudgeLoss {
  StepBlock* block;
  NW_HOST_DEVICE void operator()(i64) const {
    if (!isfinite(block->loss_sum)) block->finite = 0;
  }
};

}  // namespace nw::cuda
