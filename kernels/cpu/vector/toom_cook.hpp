// SPDX-License-Identifier: Apache-2.0
// One dimension of Winograd's convolution F(m, r): m outputs of r taps from n = m + r - 1 products, by the Toom-Cook
// scheme (Barabasz, Anderson, Soodhalter and Gregg, "Error analysis and improving the accuracy of Winograd
// convolution", 2020): signals are polynomials, known by their values at n - 1 points and at infinity. y = A^T [(G g) *
// (B^T d)].
//
// Points come in pairs p, -p. In a matrix whose rows (or columns) belong to points, those of a pair differ only in the
// signs of every second element, so one sum over the even and one over the odd elements give both.
#pragma once
#include "kernels/cpu/vector/simd.hpp"

namespace nw::cpu::NW_ISA {
namespace {

// The finite points for n products. Those for six were found by a search: 1, -1, 2, -2 lose 2.4 times as many digits.
constexpr double root2 = 1.41421356237309504880;
constexpr double points_of_6[] = {0, root2 / 2, -root2 / 2, root2, -root2},
                 points_of_others[] = {0, 1, -1, 2, -2, 0.5, -0.5};
constexpr double point(int n, int j) { return n == 6 ? points_of_6[j] : points_of_others[j]; }

template <int rows, int columns>
struct Matrix {
  float at[rows][columns];
};

// Product over finite points l != j of (point j - point l).
constexpr double distances(int j, int n) {
  double d = 1;
  for (int l = 0; l < n - 1; ++l)
    if (l != j) d *= point(n, j) - point(n, l);
  return d;
}

constexpr double power(double p, int e) {
  double v = 1;
  for (int i = 0; i < e; ++i) v *= p;
  return v;
}

// Row j: the polynomial that is zero at all finite points except the j-th; last row: at all of them.
template <int n>
constexpr Matrix<n, n> data_matrix() {
  Matrix<n, n> b{};
  for (int j = 0; j < n; ++j) {
    double polynomial[n + 1] = {1};
    for (int l = 0, degree = 0; l < n - 1; ++l) {
      if (l == j) continue;
      ++degree;
      for (int k = degree; k >= 0; --k) polynomial[k] = (k > 0 ? polynomial[k - 1] : 0.0) - point(n, l) * polynomial[k];
    }
    for (int k = 0; k < n; ++k) b.at[j][k] = static_cast<float>(polynomial[k]);
  }
  return b;
}

// Row j: 1, p, p^2, … of the j-th point, divided by distances(j); last row: the highest power alone.
template <int n, int terms>
constexpr Matrix<n, terms> values_matrix(bool divided) {
  Matrix<n, terms> v{};
  for (int j = 0; j < n - 1; ++j)
    for (int k = 0; k < terms; ++k)
      v.at[j][k] = static_cast<float>(power(point(n, j), k) / (divided ? distances(j, n) : 1.0));
  v.at[n - 1][terms - 1] = 1;
  return v;
}

template <int m, int r>
struct ToomCook {
  static constexpr int n = m + r - 1;
  static constexpr Matrix<n, n> data = data_matrix<n>();              // B^T
  static constexpr Matrix<n, m> result = values_matrix<n, m>(false);  // A
  static constexpr Matrix<n, r> weights = values_matrix<n, r>(true);  // G
};

template <const auto& matrix, int row, int step, int end>
constexpr bool all_zero(int k) {
  for (; k < end; k += step)
    if (matrix.at[row][k] != 0) return false;
  return true;
}

// sum over k, k + step, … of matrix[row][k] * v[k]
template <const auto& matrix, int row, int k, int step, int end>
NW_INLINE Vec dot(const Vec* v) {
  constexpr float c = matrix.at[row][k];
  if constexpr (c == 0) {
    return dot<matrix, row, k + step, step, end>(v);
  } else {
    const Vec term = c == 1 ? v[k] : c == -1 ? -v[k] : c * v[k];
    if constexpr (all_zero<matrix, row, step, end>(k + step))
      return term;
    else
      return dot<matrix, row, k + step, step, end>(v) + term;
  }
}

// out = matrix * in, pairs of rows at a time from `row` on.
template <const auto& matrix, int rows, int columns, int row = 0>
NW_INLINE void times(const Vec* in, Vec* out) {
  if constexpr (row == 0 || row == rows - 1) {
    out[row] = dot<matrix, row, 0, 1, columns>(in);
    if constexpr (row == 0) times<matrix, rows, columns, 1>(in, out);
  } else {
    const Vec even = dot<matrix, row, 0, 2, columns>(in), odd = dot<matrix, row, 1, 2, columns>(in);
    out[row] = even + odd;
    out[row + 1] = even - odd;
    times<matrix, rows, columns, row + 2>(in, out);
  }
}

// out = the transposed matrix * in: sums and differences of pairs first.
template <const auto& matrix, int rows, int columns, int column, int row>
NW_INLINE Vec transposed_dot(const Vec* in, const Vec* sums, const Vec* differences) {
  constexpr float c = matrix.at[row][column];
  const Vec* const from = row == 0 || row == rows - 1 ? in + row : (column % 2 ? differences : sums) + (row - 1) / 2;
  constexpr int next = row == 0 ? 1 : row + 2;
  if constexpr (next >= rows)
    return c == 0 ? Vec{} : c * *from;
  else if constexpr (c == 0)
    return transposed_dot<matrix, rows, columns, column, next>(in, sums, differences);
  else if constexpr (next == rows - 1 && matrix.at[next][column] == 0)
    return c * *from;
  else
    return transposed_dot<matrix, rows, columns, column, next>(in, sums, differences) + c * *from;
}

template <const auto& matrix, int rows, int columns, int column = 0>
NW_INLINE void transposed_columns(const Vec* in, const Vec* sums, const Vec* differences, Vec* out) {
  if constexpr (column < columns) {
    out[column] = transposed_dot<matrix, rows, columns, column, 0>(in, sums, differences);
    transposed_columns<matrix, rows, columns, column + 1>(in, sums, differences, out);
  }
}

template <const auto& matrix, int rows, int columns>
NW_INLINE void transposed_times(const Vec* in, Vec* out) {
  constexpr int pairs = (rows - 2) / 2;
  Vec sums[pairs], differences[pairs];
#pragma GCC unroll 8
  for (int i = 0; i < pairs; ++i) {
    sums[i] = in[2 * i + 1] + in[2 * i + 2];
    differences[i] = in[2 * i + 1] - in[2 * i + 2];
  }
  transposed_columns<matrix, rows, columns>(in, sums, differences, out);
}

}  // namespace
}  // namespace nw::cpu::NW_ISA
