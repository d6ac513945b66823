// SPDX-License-Identifier: Apache-2.0
// Softmax and losses of one shard; each lane is a sample, so sums over classes need no horizontal step.
#include "kernels/math/loss.hpp"
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

struct Peak {
  Vec value;
  IntVec where;
};
// The largest value over the classes, and the first class that has it.
NW_INLINE Peak peak_of(const float* x, i64 classes, i64 step) {
  Peak p{load(x), IntVec{}};
  for (i64 k = 1; k < classes; ++k) {
    const Vec v = load(x + k * step);
    const IntVec better = v > p.value;
    p.value = better ? v : p.value;
    p.where = better ? IntVec{} + static_cast<int>(k) : p.where;
  }
  return p;
}
// to[k] = e^(x[k] - peak); returns their sum.
NW_INLINE Vec exponentials(const float* x, float* to, Vec peak, i64 classes, i64 step) {
  Vec sum = {};
  for (i64 k = 0; k < classes; ++k) {
    const Vec e = exponential(load(x + k * step) - peak);
    store(to + k * step, e);
    sum += e;
  }
  return sum;
}

// The target fraction of class k for the samples in these lanes; 0 after the last valid sample.
NW_INLINE Vec shares_of(const LossArgs& a, i64 k, int lane) {
  const auto* targets = static_cast<const float*>(a.wanted);
  Vec t = {};
  for (int i = 0; i < width && lane + i < a.lanes; ++i) t[i] = targets[(lane + i) * a.elements + k];
  return t;
}

}  // namespace

void softmax(const float* x, float* y, i64 classes, i64 pixels) {
  const i64 step = pixels * lanes;
  for (i64 at = 0; at < step; at += width) {
    const Vec share = 1.0f / exponentials(x + at, y + at, peak_of(x + at, classes, step).value, classes, step);
    for (i64 k = 0; k < classes; ++k) store(y + at + k * step, load(y + at + k * step) * share);
  }
}

void softmax_gradient(const float* dy, const float* y, float* dx, i64 classes, i64 pixels) {
  const i64 step = pixels * lanes;
  for (i64 at = 0; at < step; at += width) {
    Vec dot = {};
    for (i64 k = 0; k < classes; ++k) dot += load(dy + at + k * step) * load(y + at + k * step);
    for (i64 k = 0; k < classes; ++k)
      store(dx + at + k * step, load(y + at + k * step) * (load(dy + at + k * step) - dot));
  }
}

void cross_entropy(LossArgs& a) {
  const auto* labels = static_cast<const std::int64_t*>(a.wanted);
  float* const to = a.dx ? a.dx : a.scratch;
  const float uniform = static_cast<float>(a.smoothing / static_cast<double>(a.elements));
  for (int lane = 0; lane < lanes; lane += width) {
    const Peak peak = peak_of(a.x + lane, a.elements, lanes);
    Vec at_label = {}, all_terms = {};
    for (int i = 0; i < width && lane + i < a.lanes; ++i) at_label[i] = a.x[labels[lane + i] * lanes + lane + i];
    if (a.smoothing != 0)
      for (i64 k = 0; k < a.elements; ++k) all_terms += load(a.x + k * lanes + lane) - peak.value;
    const Vec sum = exponentials(a.x + lane, to + lane, peak.value, a.elements, lanes);
    for (int i = 0; i < width && lane + i < a.lanes; ++i) {
      const double log_sum = __builtin_log(static_cast<double>(sum[i]));
      const double at = static_cast<double>(at_label[i]) - static_cast<double>(peak.value[i]);
      a.loss += (1 - a.smoothing) * (log_sum - at);
      if (a.smoothing != 0)
        a.loss += a.smoothing * (log_sum - static_cast<double>(all_terms[i]) / static_cast<double>(a.elements));
      a.correct += peak.where[i] == labels[lane + i];
    }
    if (!a.dx) continue;
    const Vec share = 1.0f / sum;
    const IntVec valid = count_from(lane) < static_cast<int>(a.lanes);
    for (i64 k = 0; k < a.elements; ++k) {
      const Vec d = (load(to + k * lanes + lane) * share - uniform) * static_cast<float>(a.scale);
      store(to + k * lanes + lane, valid ? d : Vec{});
    }
    for (int i = 0; i < width && lane + i < a.lanes; ++i)
      to[labels[lane + i] * lanes + lane + i] -= static_cast<float>((1 - a.smoothing) * a.scale);
  }
}

void shared_cross_entropy(LossArgs& a) {
  float* const to = a.dx ? a.dx : a.scratch;
  const float uniform = static_cast<float>(a.smoothing / static_cast<double>(a.elements)),
              kept = static_cast<float>(1 - a.smoothing);
  for (int lane = 0; lane < lanes; lane += width) {
    const Peak peak = peak_of(a.x + lane, a.elements, lanes);
    Peak largest{shares_of(a, 0, lane), IntVec{}};
    Vec terms = {}, total = {};
    for (i64 k = 0; k < a.elements; ++k) {
      const Vec share = shares_of(a, k, lane), wanted = uniform + kept * share;
      const IntVec better = share > largest.value;
      largest.value = better ? share : largest.value;
      largest.where = better ? IntVec{} + static_cast<int>(k) : largest.where;
      terms += wanted * (load(a.x + k * lanes + lane) - peak.value);
      total += wanted;
    }
    const Vec sum = exponentials(a.x + lane, to + lane, peak.value, a.elements, lanes);
    for (int i = 0; i < width && lane + i < a.lanes; ++i) {
      a.loss +=
          static_cast<double>(total[i]) * __builtin_log(static_cast<double>(sum[i])) - static_cast<double>(terms[i]);
      a.correct += peak.where[i] == largest.where[i];
    }
    if (!a.dx) continue;
    const Vec part = 1.0f / sum;
    const IntVec valid = count_from(lane) < static_cast<int>(a.lanes);
    for (i64 k = 0; k < a.elements; ++k) {
      const Vec d =
          (load(to + k * lanes + lane) * part - uniform - kept * shares_of(a, k, lane)) * static_cast<float>(a.scale);
      store(to + k * lanes + lane, valid ? d : Vec{});
    }
  }
}

namespace {

/// One sample of a cross entropy with weights or focus: all scores of a lane, in double.
struct Scores {
  const LossArgs& a;
  i64 lane, label = 0;  // the class that is right
  double top = 0, log_sum = 0;
  i64 best = 0;

  float score(i64 k) const { return a.x[k * lanes + lane]; }
  float share(i64 k) const { return static_cast<const float*>(a.wanted)[lane * a.elements + k]; }
  double log_p(i64 k) const { return static_cast<double>(score(k)) - top - log_sum; }
  math::ClassTerm term(i64 k) const {
    const double target = a.shares ? static_cast<double>(share(k)) : k == label ? 1.0 : 0.0;
    const double wanted = a.smoothing / static_cast<double>(a.elements) + (1 - a.smoothing) * target;
    return math::class_term(a.weights ? a.weights[k] * wanted : wanted, log_p(k), a.gamma);
  }
};

Scores scores_of(const LossArgs& a, i64 lane) {
  Scores s{a, lane};
  if (!a.shares) s.label = static_cast<const std::int64_t*>(a.wanted)[lane];
  for (i64 k = 1; k < a.elements; ++k) {
    if (s.score(k) > s.score(s.best)) s.best = k;
    if (a.shares && s.share(k) > s.share(s.label)) s.label = k;
  }
  s.top = static_cast<double>(s.score(s.best));
  double sum = 0;
  for (i64 k = 0; k < a.elements; ++k) sum += __builtin_exp(static_cast<double>(s.score(k)) - s.top);
  s.log_sum = __builtin_log(sum);
  return s;
}

}  // namespace

// The gradient may take the place of the scores: each is read before it is written.
void general_cross_entropy(LossArgs& a) {
  for (i64 lane = 0; lane < lanes; ++lane) {
    if (lane >= a.lanes) {
      for (i64 k = 0; a.dx && k < a.elements; ++k) a.dx[k * lanes + lane] = 0.0f;
      continue;
    }
    const Scores s = scores_of(a, lane);
    double slopes = 0;
    for (i64 k = 0; k < a.elements; ++k) {
      const math::ClassTerm t = s.term(k);
      a.loss += t.loss;
      slopes += t.slope;
    }
    a.correct += s.best == s.label;
    for (i64 k = 0; a.dx && k < a.elements; ++k)
      a.dx[k * lanes + lane] = static_cast<float>((s.term(k).slope - __builtin_exp(s.log_p(k)) * slopes) * a.scale);
  }
}

namespace {
NW_INLINE math::BinaryTerm plain_binary(double v, double t) {
  const double small = __builtin_exp(v < 0 ? v : -v);
  const double probability = v < 0 ? small / (1 + small) : 1 / (1 + small);
  return {(v > 0 ? v : 0) - v * t + __builtin_log1p(small), probability - t};
}
}  // namespace

void bce(LossArgs& a) {
  const auto* targets = static_cast<const float*>(a.wanted);
  const double share = 1.0 / static_cast<double>(a.elements);
  const bool plain = !a.weights && a.gamma == 0;
  for (i64 lane = 0; lane < lanes; ++lane) {
    bool right = true;
    for (i64 e = 0; e < a.elements; ++e) {
      const bool valid = lane < a.lanes;
      const double v = a.x[e * lanes + lane], t = valid ? targets[lane * a.elements + e] : 0.0;
      const math::BinaryTerm term =
          plain ? plain_binary(v, t) : math::binary_term(v, t, a.weights ? a.weights[e] : 1.0, a.gamma);
      if (valid) a.loss += term.loss * share;
      if (a.dx) a.dx[e * lanes + lane] = valid ? static_cast<float>(term.slope * share * a.scale) : 0.0f;
      right = right && (v > 0) == (t > 0.5);
    }
    if (lane < a.lanes) a.correct += right;
  }
}

void mse(LossArgs& a) {
  const auto* targets = static_cast<const float*>(a.wanted);
  const double share = 1.0 / static_cast<double>(a.elements);
  for (i64 lane = 0; lane < lanes; ++lane) {
    if (lane >= a.lanes) {
      for (i64 e = 0; a.dx && e < a.elements; ++e) a.dx[e * lanes + lane] = 0.0f;
      continue;
    }
    const float* wanted = targets + lane * a.elements;
    i64 best = 0, best_wanted = 0;
    const bool near = __builtin_fabsf(a.x[lane] - wanted[0]) < 0.5f;
    float best_value = a.x[lane];
    for (i64 e = 0; e < a.elements; ++e) {
      const float v = a.x[e * lanes + lane];
      if (v > best_value) {
        best_value = v;
        best = e;
      }
      if (wanted[e] > wanted[best_wanted]) best_wanted = e;
      const double d = static_cast<double>(v) - static_cast<double>(wanted[e]);
      a.loss += d * d * share;
      if (a.dx) a.dx[e * lanes + lane] = static_cast<float>(2 * d * share * a.scale);
    }
    a.correct += a.elements > 1 ? best == best_wanted : near;
  }
}

}  // namespace nw::cpu::NW_ISA
