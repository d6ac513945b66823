// SPDX-License-Identifier: Apache-2.0
// Copied into kernels/math/activation.hpp by CMakeLists.txt: the worked example of a new element kernel.
struct Softsign {
  static constexpr ElementInfo info{.what = "x / (1 + |x|)"};
  template <class T>
  NW_FORMULA static T value(T x) {
    return x / (Scalar<T>(1) + absolute(x));
  }
  template <class T>
  NW_FORMULA static T gradient(T dy, T x) {
    const T d = Scalar<T>(1) + absolute(x);
    return dy / (d * d);
  }
};
