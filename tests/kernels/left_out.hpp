// SPDX-License-Identifier: Apache-2.0
// The kernels of the catalogue that a backend does not offer: an allow-list that tests compare for equality.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "kernels/catalogue.hpp"

namespace nw::test {

using Names = std::set<std::string, std::less<>>;

/// Each with its reason. A kernel that is neither listed here nor in the backend is an error.
inline const Names& left_out_by(const std::string& backend) {
  // fused for the CPU's caches; on CUDA, cuDNN and cuBLASLt compute the products and the steps are not fused
  static const Names cuda{"conv2d_max_pool2d_relu", "conv2d_grad_input_relu", "linear_grad_input_relu",
                          "max_pool2d_relu_grad"};
  static const Names cpus{"store_half"};  // values are stored as halves on GPUs only
  return backend == "cuda" ? cuda : cpus;
}

/// `offers`: whether the backend offers a kernel; `files`: the files to which a missing kernel must be added.
inline void expect_left_out(const std::string& backend, const std::function<bool(const std::string&)>& offers,
                            const std::string& files) {
  for (const KernelInfo& k : all_kernels()) {
    const std::string kernel(k.name);
    const bool allowed = left_out_by(backend).count(kernel) > 0;
    if (!offers(kernel) && !allowed)
      ADD_FAILURE() << "the backend " << backend << " has no kernel \"" << kernel << "\": write it in " << files
                    << " (an element kernel: one row in kernels/math/activation.hpp), or name it with the reason in "
                       "tests/kernels/left_out.hpp";
    if (offers(kernel) && allowed)
      ADD_FAILURE() << "the backend " << backend << " now has the kernel \"" << kernel
                    << "\": remove it from tests/kernels/left_out.hpp";
  }
  for (const std::string& kernel : left_out_by(backend))
    EXPECT_NE(find_kernel(kernel), nullptr)
        << "tests/kernels/left_out.hpp names \"" << kernel << "\", which is not in kernels/catalogue.cpp";
}

}  // namespace nw::test
