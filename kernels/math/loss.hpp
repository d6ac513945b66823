// SPDX-License-Identifier: Apache-2.0
// Terms of losses with weights and focus, in double; written once for every backend. Focus: Lin et al., "Focal loss for
// dense object detection", ICCV 2017.
#pragma once
#include <math.h>

#include "kernels/math/functions.hpp"

namespace nw::math {

/// (1 - p)^gamma, which is 1 where gamma is 0.
NW_FORMULA double focus(double rest, double gamma) { return gamma == 0 ? 1.0 : pow(rest, gamma); }

/// The part of one class in a softmax cross entropy: wanted * (1 - p)^gamma * -log p.
struct ClassTerm {
  double loss;
  // p times the derivative by p: the derivative by score k is that of class k minus p[k] times the sum over all classes
  double slope;
};
NW_FORMULA ClassTerm class_term(double wanted, double log_p, double gamma) {
  if (wanted == 0) return {0, 0};
  const double p = exp(log_p), rest = 1 - p, factor = focus(rest, gamma);
  const double ratio = rest > 0 ? log_p / rest : -1.0;  // its limit at p = 1
  return {-wanted * factor * log_p, wanted * factor * (gamma * p * ratio - 1)};
}

/// The loss of one score x of a sigmoid, and its derivative by x. Without focus as torch's BCEWithLogitsLoss
/// with `pos_weight`; with focus times (1 - q)^gamma, q = p t + (1 - p)(1 - t), as torchvision's sigmoid_focal_loss.
struct BinaryTerm {
  double loss, slope;
};
NW_FORMULA BinaryTerm binary_term(double x, double t, double pos_weight, double gamma) {
  const double small = exp(x < 0 ? x : -x), tail = log1p(small);
  const double yes = (x > 0 ? 0.0 : -x) + tail, no = (x > 0 ? x : 0.0) + tail;  // -log p, -log(1 - p)
  const double p = x < 0 ? small / (1 + small) : 1 / (1 + small);
  const double other = x < 0 ? 1 / (1 + small) : small / (1 + small);
  const double loss = pos_weight * t * yes + (1 - t) * no, slope = (1 - t) * p - pos_weight * t * other;
  if (gamma == 0) return {loss, slope};
  const double miss = p * (1 - t) + other * t, factor = focus(miss, gamma);
  const double growth = miss > 0 ? (1 - 2 * t) * p * other / miss : 0.0;
  return {loss * factor, factor * (slope + gamma * growth * loss)};
}

}  // namespace nw::math
