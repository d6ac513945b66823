// SPDX-License-Identifier: Apache-2.0
// Cross entropy with labels, a sample for each block, and the sum of all samples' losses.
#pragma once
#include "kernels/cuda/blocks/block.hpp"
#include "kernels/cuda/elements/loss.hpp"

namespace nw::cuda {

/// Value, gradient and whether the first of the largest scores is the label's. Block: a sample.
template <class T>
struct CrossEntropy {
  static constexpr int threads = 32, phases = 4;
  struct Shared {
    i64 best[threads];
    float scores[threads];  // of these
    double exponentials[threads], losses[threads];
  };
  LossShape<T> s;
  const i64* labels;
  double smoothing;
  NW_HOST_DEVICE void operator()(i64 n, int thread, int phase, Shared& shared) const {
    if (n >= s.block->valid) {
      if (phase == 0 && thread == 0) s.begin(n);
      return;
    }
    if (phase == 0) find_best(n, thread, shared);
    if (phase == 1) shared.exponentials[thread] = exponentials(n, thread, largest(shared));
    if (phase == 2) shared.losses[thread] = write(n, thread, largest(shared), log(total(shared.exponentials)));
    if (phase == 3 && thread == 0) s.parts[n] = {total(shared.losses), shared.best[first_best(shared)] == labels[n], 1};
  }

 private:
  NW_HOST_DEVICE const T* row(i64 n) const { return s.x + n * s.per_sample; }
  NW_HOST_DEVICE void find_best(i64 n, int thread, Shared& shared) const {
    i64 best = thread < s.per_sample ? thread : 0;
    float score = row(n)[best];
    for (i64 k = thread; k < s.per_sample; k += threads)
      if (const float v = row(n)[k]; v > score) best = k, score = v;
    shared.best[thread] = best;
    shared.scores[thread] = score;
  }
  /// The thread with the largest score; of equal ones, that of the first class.
  NW_HOST_DEVICE static int first_best(const Shared& shared) {
    int at = 0;
    for (int i = 1; i < threads; ++i)
      if (shared.scores[i] > shared.scores[at] ||
          (shared.scores[i] == shared.scores[at] && shared.best[i] < shared.best[at]))
        at = i;
    return at;
  }
  NW_HOST_DEVICE static double largest(const Shared& shared) { return shared.scores[first_best(shared)]; }
  NW_HOST_DEVICE double exponentials(i64 n, int thread, double largest) const {
    double sum = 0;
    for (i64 k = thread; k < s.per_sample; k += threads) sum += exp(static_cast<float>(row(n)[k]) - largest);
    return sum;
  }
  NW_HOST_DEVICE static double total(const double (&all)[threads]) {
    double sum = 0;
    for (const double v : all) sum += v;
    return sum;
  }
  NW_HOST_DEVICE double write(i64 n, int thread, double largest, double log_sum) const {
    const double uniform = smoothing / static_cast<double>(s.per_sample), scale = s.scale();
    double loss = 0;
    for (i64 k = thread; k < s.per_sample; k += threads) {
      const double log_p = static_cast<float>(row(n)[k]) - largest - log_sum,
                   wanted = uniform + (k == labels[n] ? 1 - smoothing : 0.0);
      if (wanted != 0) loss -= wanted * log_p;
      if (s.dx) s.dx[n * s.per_sample + k] = static_cast<float>((exp(log_p) - wanted) * scale);
    }
    return loss;
  }
};

/// Adds the samples' losses to those of the step. One block.
struct CollectLoss {
  static constexpr int threads = 256, phases = 1 + halvings<threads>;
  struct Shared {
    double loss[threads];
    i64 correct[threads], samples[threads];
  };
  const LossPart* parts;
  i64 count;
  StepBlock* step;
  NW_HOST_DEVICE void operator()(i64, int thread, int phase, Shared& shared) const {
    if (phase == 0) return collect(thread, shared);
    add_halves<threads>(shared.loss, thread, 1, phase);
    add_halves<threads>(shared.correct, thread, 1, phase);
    add_halves<threads>(shared.samples, thread, 1, phase);
    if (phase < phases - 1 || thread > 0) return;
    step->loss_sum += shared.loss[0];
    step->correct += shared.correct[0];
    step->samples += shared.samples[0];
  }

 private:
  NW_HOST_DEVICE void collect(int thread, Shared& shared) const {
    LossPart sum{};
    for (i64 n = thread; n < count; n += threads) {
      sum.loss += parts[n].loss;
      sum.correct += parts[n].correct;
      sum.samples += parts[n].samples;
    }
    shared.loss[thread] = sum.loss;
    shared.correct[thread] = sum.correct;
    shared.samples[thread] = sum.samples;
  }
};

}  // namespace nw::cuda
