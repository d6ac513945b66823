// SPDX-License-Identifier: Apache-2.0
// Sums over the rows of an image, by channel, and results for every row with numbers that belong to its channels.
#pragma once
#include "kernels/cuda/blocks/block.hpp"

namespace nw::cuda {

/// parts[slice][sum][channel] = the sums of Term over the rows of each slice that belong to valid samples. A Term has
/// `sums` and `width` (channels of a thread), a State of these channels, Loaded numbers of a row, and adds them to
/// float sums of `run` rows, which are then added in double.
template <class Term>
struct SumRows {
  static constexpr int threads = 256, phases = 1 + halvings<threads>, sums = Term::sums, width = Term::width;
  struct Shared {
    double at[sums * width][threads];
  };
  RowBlocks rows;
  Term term;
  double* parts;
  i64 rows_per_sample;
  const StepBlock* step;
  bool padding;  // over the rows of padding samples instead
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    if (phase == 0)
      collect(block, thread, shared);
    else
      for (auto& s : shared.at) add_halves<threads>(s, thread, rows.across, phase);
    if (phase == phases - 1 && thread < rows.across) store(block, thread, shared);
  }

 private:
  static constexpr int together = 4;
  struct Total {
    double at[sums * width];
  };
  NW_HOST_DEVICE void collect(i64 block, int thread, Shared& shared) const {
    const RowBlocks::Part p = rows.template part<threads, width>(block, thread);
    Total total{};
    if (p.channel < rows.channels) add_rows(p, total);
    for (int k = 0; k < sums * width; ++k) shared.at[k][thread] = total.at[k];
  }
  NW_HOST_DEVICE void add_rows(const RowBlocks::Part& p, Total& total) const {
    const auto state = term.begin(p.channel);
    const i64 valid = step->valid * rows_per_sample, end = padding ? p.end : smaller(p.end, valid);
    i64 row = padding && valid > p.begin ? p.begin + (valid - p.begin + p.step - 1) / p.step * p.step : p.begin;
    for (; row + (together - 1) * p.step < end; row += together * p.step) add<together>(p, row, state, total);
    for (; row < end; row += p.step) add<1>(p, row, state, total);
  }
  /// `count` rows, which are all read before the first is used.
  template <int count>
  NW_HOST_DEVICE void add(const RowBlocks::Part& p, i64 row, const typename Term::State& state, Total& total) const {
    typename Term::Loaded loaded[count];
    NW_UNROLL
    for (int k = 0; k < count; ++k) loaded[k] = term.load((row + k * p.step) * rows.channels + p.channel);
    float run[sums * width] = {};
    NW_UNROLL
    for (int k = 0; k < count; ++k) {
      term.add(state, loaded[k], run);
      if (Term::run == 1 || k == count - 1) flush(run, total);
    }
  }
  NW_HOST_DEVICE static void flush(float (&run)[sums * width], Total& total) {
    NW_UNROLL
    for (int i = 0; i < sums * width; ++i) {
      total.at[i] += run[i];
      run[i] = 0;
    }
  }
  NW_HOST_DEVICE void store(i64 block, int thread, const Shared& shared) const {
    const RowBlocks::Part p = rows.template part<threads, width>(block, thread);
    if (p.channel >= rows.channels) return;
    double* const to = parts + rows.slice(block) * sums * rows.channels + p.channel;
    for (int k = 0; k < sums * width; ++k)
      to[k / width * rows.channels + k % width] = term.finish(k / width, p.channel + k % width, shared.at[k][thread]);
  }
};

/// Calls Op::store for the numbers of every row. An Op has `width`, a State of its channels and Loaded numbers.
template <class Op>
struct EachRow {
  static constexpr int threads = 256, phases = 1, width = Op::width;
  struct Shared {};
  RowBlocks rows;
  Op op;
  NW_HOST_DEVICE void operator()(i64 block, int thread, int, Shared&) const {
    const RowBlocks::Part p = rows.template part<threads, width>(block, thread);
    if (p.channel >= rows.channels) return;
    const auto state = op.begin(p.channel);
    i64 row = p.begin;
    for (; row + (together - 1) * p.step < p.end; row += together * p.step) store<together>(p, row, state);
    for (; row < p.end; row += p.step) store<1>(p, row, state);
  }

 private:
  static constexpr int together = 4;
  template <int count>
  NW_HOST_DEVICE void store(const RowBlocks::Part& p, i64 row, const typename Op::State& state) const {
    typename Op::Loaded loaded[count];
    NW_UNROLL
    for (int k = 0; k < count; ++k) loaded[k] = op.load((row + k * p.step) * rows.channels + p.channel);
    NW_UNROLL
    for (int k = 0; k < count; ++k)
      op.store(state, loaded[k], row + k * p.step, (row + k * p.step) * rows.channels + p.channel);
  }
};

}  // namespace nw::cuda
