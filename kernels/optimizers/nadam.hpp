// SPDX-License-Identifier: Apache-2.0
// Adam with Nesterov momentum, as torch.optim.NAdam: Dozat, "Incorporating Nesterov momentum into Adam", ICLR workshop
// 2016.
#pragma once
#include "kernels/optimizer_fields.hpp"

namespace nw::optimizers {

struct Nadam {
  static constexpr OptimizerField fields[] = {
      optimizer_fields::beta1(0.9),
      optimizer_fields::beta2(0.999),
      optimizer_fields::epsilon(1e-8),
      {.name = "momentum_decay",
       .otherwise = 0.004,
       .label = NW_TR("Momentum decay"),
       .help = NW_TR("How fast the momentum rises from half of beta 1 to beta 1."),
       .zero = NW_TR("none")}};
  static constexpr OptimizerState state[] = {{"nadam_m"}, {"nadam_v"}};
  static constexpr Optimizer record{.name = "nadam",
                                    .title = "NAdam",
                                    .summary = NW_TR("Adam with Nesterov momentum."),
                                    .fields = fields,
                                    .state = state};
  struct Scalars {
    float one_minus_beta1, beta2, one_minus_beta2;
    RootScale root;
    float eps, of_gradient, of_mean;  // the learning rates of gradient and mean
  };
  NW_HOST_DEVICE static Scalars scalars(const double* values, const UpdatePoint& at) {
    const double beta1 = values[0], beta2 = values[1], decay = values[3], t = static_cast<double>(at.step + 1);
    const double now = momentum_at(beta1, decay, t), next = momentum_at(beta1, decay, t + 1);
    const double product = momenta_product(beta1, decay, t);
    return {static_cast<float>(1 - beta1),
            static_cast<float>(beta2),
            static_cast<float>(1 - beta2),
            root_scale(1 - pow(beta2, t)),
            static_cast<float>(values[2]),
            static_cast<float>(at.rate * (1 - now) / (1 - product)),
            static_cast<float>(at.rate * next / (1 - product * next))};
  }
  template <class M, class Number = typename M::Number>
  NW_ELEMENT static void update(const Scalars& k, Number& w, Number g, Number* s) {
    s[0] += (g - s[0]) * k.one_minus_beta1;
    s[1] = s[1] * k.beta2 + M::weighted_square(k.one_minus_beta2, g);
    w = w - M::over_root(1, k.of_gradient * g + M::product(k.of_mean, s[0]), s[1], k.root, k.eps);
  }

 private:
  static constexpr double base = 0.96;
  NW_HOST_DEVICE static double momentum_at(double beta1, double decay, double t) {
    return beta1 * (1 - 0.5 * pow(base, t * decay));
  }
  /// momentum_at(1) × … × momentum_at(t) without a loop over steps: with q = 0.96^decay, the logarithm of the factors 1
  /// - q^i / 2 is the series -sum over k of (q^i / 2)^k / k, whose sum over i is geometric. Its terms decrease at least
  /// as fast as 2^-k.
  NW_HOST_DEVICE static double momenta_product(double beta1, double decay, double t) {
    const double log_q = decay * log(base);
    double sum = 0, half = 1;
    for (int k = 1; k <= 56; ++k) {
      half *= 0.5;
      const double powers = log_q == 0 ? t : exp(k * log_q) * expm1(k * t * log_q) / expm1(k * log_q);
      sum += half / k * powers;
    }
    return pow(beta1, t) * exp(-sum);
  }
};

}  // namespace nw::optimizers
