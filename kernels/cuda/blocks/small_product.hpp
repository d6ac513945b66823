// SPDX-License-Identifier: Apache-2.0
// Products of small matrices, for linear layers of few numbers: a library's kernel would keep few multiprocessors busy
// and take several launches.
#pragma once
#include "kernels/cuda/blocks/block.hpp"

namespace nw::cuda {

/// How the matrices of a product lie in memory: d (rows x columns) = a b^T. `contiguous`: rows of `inner` numbers one
/// after another; otherwise the matrix is transposed.
enum class ProductForm {
  forward,     // a and b contiguous: y = x w^T
  grad_input,  // b transposed: dx = dy w
  grad_weight  // both transposed: dw = dy^T x
};

/// d[r][c] = sum over k of a(r, k) b(c, k), plus bias[c]. Block: 8 by 8 numbers of d; its threads are 16 groups, which
/// divide k among them, of 16 threads with two rows and two columns each. T: the type of a and b, R: of d. `wide`: four
/// adjacent k, or two adjacent rows and columns of a transposed matrix, may be read at once.
template <class T, class R, ProductForm form, bool wide>
struct SmallProduct {
  static constexpr int threads = 256, phases = 2, side = 8, groups = 16, numbers = side * side;
  struct Shared {
    float at[groups][numbers + side];  // the sums of d and of a's rows
  };
  const T *a, *b;
  R* d;
  const float* bias;  // may be null
  float* row_sums;    // row_sums[r] = sum over k of a(r, k); may be null
  int rows, columns, inner;
  bool relu;
  const StepBlock* step;  // of a gradient of weights: k are rows of samples, of which only the valid ones count
  int rows_per_sample;
  NW_HOST_DEVICE static i64 tiles(i64 count) { return (count + side - 1) / side; }
  NW_HOST_DEVICE i64 blocks() const { return tiles(rows) * tiles(columns); }
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    const auto across = static_cast<int>(tiles(columns)), at = static_cast<int>(block);
    const int row = at / across * side, column = at % across * side;
    if (phase == 0)
      add_up(row, column, thread, shared);
    else if (thread < numbers)
      store(row + thread / side, column + thread % side, total(thread, shared));
    else if (thread < numbers + side && row_sums && column == 0 && row + thread - numbers < rows)
      row_sums[row + thread - numbers] = static_cast<float>(total(thread, shared));
  }

 private:
  static constexpr bool a_contiguous = form != ProductForm::grad_weight, b_contiguous = form == ProductForm::forward;
  static constexpr int together = a_contiguous ? 4 : 1;  // adjacent k of a thread
  static constexpr int rounds = a_contiguous ? 2 : 4;    // whose numbers are read before the first is needed
  struct Loaded {
    float at[2][together];
  };
  NW_HOST_DEVICE int terms() const {
    return step ? static_cast<int>(smaller(step->valid * rows_per_sample, static_cast<i64>(inner))) : inner;
  }
  NW_HOST_DEVICE void add_up(int row, int column, int thread, Shared& shared) const {
    const int group = thread / 16, r = thread % 16 / 4 * 2, c = thread % 4 * 2;
    float sums[2][2] = {}, of_rows[2] = {};
    const int end = terms();
    NW_UNROLL_BY(rounds)
    for (int k = group * together; k < end; k += groups * together) {
      const Loaded x = load<a_contiguous>(a, row + r, rows, k), y = load<b_contiguous>(b, column + c, columns, k);
      for (int i = 0; i < together; ++i)
        for (int p = 0; p < 2; ++p) {
          of_rows[p] += x.at[p][i];
          for (int q = 0; q < 2; ++q) sums[p][q] += x.at[p][i] * y.at[q][i];
        }
    }
    for (int p = 0; p < 2; ++p) {
      for (int q = 0; q < 2; ++q) shared.at[group][(r + p) * side + c + q] = sums[p][q];
      if (c == 0) shared.at[group][numbers + r + p] = of_rows[p];
    }
  }
  /// Two rows of a matrix with `count` rows, from `first`; rows beyond its end are others, whose sums are not stored.
  template <bool contiguous>
  NW_HOST_DEVICE Loaded load(const T* from, int first, int count, int k) const {
    Loaded l;
    for (int i = 0; i < 2; ++i)
      if constexpr (contiguous) {
        const T* row = from + static_cast<i64>(smaller(first + i, count - 1)) * inner + k;
        if constexpr (wide) {
          const auto pack = read_pack<together>(row);
          for (int j = 0; j < together; ++j) l.at[i][j] = pack.at[j];
        } else {
          for (int j = 0; j < together; ++j) l.at[i][j] = k + j < inner ? static_cast<float>(row[j]) : 0.0f;
        }
      }
    if constexpr (!contiguous)
      for (int j = 0; j < together; ++j) load_pair(from, first, count, k + j, l.at[0][j], l.at[1][j]);
    return l;
  }
  NW_HOST_DEVICE void load_pair(const T* from, int first, int count, int k, float& one, float& other) const {
    const T* row = from + static_cast<i64>(smaller(k, inner - 1)) * count;
    const float none = k < inner ? 1.0f : 0.0f;
    if constexpr (wide) {
      const auto pair = read_pack<2>(row + smaller(first, count - 2));
      one = none * static_cast<float>(pair.at[0]);
      other = none * static_cast<float>(pair.at[1]);
    } else {
      one = none * static_cast<float>(row[smaller(first, count - 1)]);
      other = none * static_cast<float>(row[smaller(first + 1, count - 1)]);
    }
  }
  NW_HOST_DEVICE static double total(int number, const Shared& shared) {
    double sum = 0;
    for (const auto& of_group : shared.at) sum += static_cast<double>(of_group[number]);
    return sum;
  }
  NW_HOST_DEVICE void store(int row, int column, double sum) const {
    if (row >= rows || column >= columns) return;
    const auto v = static_cast<float>(sum + static_cast<double>(bias ? bias[column] : 0.0f));
    d[static_cast<i64>(row) * columns + column] = relu && v < 0 ? 0.0f : v;
  }
};

}  // namespace nw::cuda
