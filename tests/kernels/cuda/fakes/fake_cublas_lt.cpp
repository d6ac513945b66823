// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>

#include "kernels/math/half.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"
#include "tests/kernels/cuda/fakes/fake_objects.hpp"

namespace nw::cuda {
namespace {

struct Product {
  int compute = 0;
  std::int32_t transposed[2] = {0, 0};
  std::uint32_t epilogue = 1;
  void* bias = nullptr;
  std::int32_t bias_type = 0;
};
std::size_t size_of(int type) { return type == 0 ? 4 : 2; }
struct Matrix {
  int type;
  std::uint64_t rows, columns;
  std::int64_t leading;
  double at(const void* data, std::uint64_t row, std::uint64_t column) const {
    return fake_load(data, type, row + column * static_cast<std::uint64_t>(leading));
  }
  FakeRange range(const void* data) const {
    return FakeRange::of(data, ((columns - 1) * static_cast<std::uint64_t>(leading) + rows) * size_of(type));
  }
};
constexpr std::uint32_t relu = 2, bias = 4, bias_gradient = 512;
constexpr int execution_failed = 13;

int product_set(void* object, int attribute, const void* value, std::size_t bytes) {
  if (const int status = fake_response("product_set")) return status;
  auto& p = *static_cast<Product*>(object);
  void* const places[] = {&p.compute, nullptr, nullptr,     &p.transposed[0], &p.transposed[1],
                          nullptr,    nullptr, &p.epilogue, &p.bias};
  if (attribute == 26) return std::memcpy(&p.bias_type, value, bytes), 0;
  if (attribute > 8 || !places[attribute]) return 7;
  return std::memcpy(places[attribute], value, bytes), 0;
}

const char* name_of(int type) { return type == 2 ? "f16" : type == 14 ? "bf16" : "f32"; }
std::string told(const Product& p, const Matrix& a, const Matrix& d) {
  std::string s = "multiply " + std::to_string(d.rows) + "x" + std::to_string(d.columns) + "x" +
                  std::to_string(p.transposed[0] ? a.rows : a.columns);
  s += std::string(" ") + (p.transposed[0] ? "t" : "n") + (p.transposed[1] ? "t" : "n") + " " + name_of(a.type) +
       " > " + name_of(d.type);
  if (p.compute == 77) s += " tf32";
  return s + (p.epilogue & bias ? " bias" : "") + (p.epilogue & relu ? " relu" : "") +
         (p.epilogue & bias_gradient ? " bias_gradient" : "");
}

// tf32 keeps 11 significant bits, as f16 does, over the exponents of f32.
double operand(double v, int compute) {
  if (compute != 77) return v;
  const std::uint32_t bits = math::float_bits(static_cast<float>(v));
  return math::bits_float((bits + 0xFFFu + (bits >> 13 & 1u)) & 0xFFFFE000u);
}

void multiply_all(const Product& p, const void* a, const Matrix& am, const void* b, const Matrix& bm, void* d,
                  const Matrix& dm) {
  const std::uint64_t inner = p.transposed[0] ? am.rows : am.columns;
  const auto left = [&](std::uint64_t r, std::uint64_t k) {
    return operand(p.transposed[0] ? am.at(a, k, r) : am.at(a, r, k), p.compute);
  };
  const auto right = [&](std::uint64_t k, std::uint64_t c) {
    return operand(p.transposed[1] ? bm.at(b, c, k) : bm.at(b, k, c), p.compute);
  };
  for (std::uint64_t c = 0; c < dm.columns; ++c) {
    double total = 0;
    for (std::uint64_t k = 0; k < inner; ++k) total += right(k, c);
    if (p.epilogue & bias_gradient) fake_store(p.bias, p.bias_type, c, total);
    for (std::uint64_t r = 0; r < dm.rows; ++r) {
      double sum = p.epilogue & bias ? fake_load(p.bias, p.bias_type, r) : 0;
      for (std::uint64_t k = 0; k < inner; ++k) sum += left(r, k) * right(k, c);
      fake_store(d, dm.type, r + c * static_cast<std::uint64_t>(dm.leading), p.epilogue & relu && sum < 0 ? 0 : sum);
    }
  }
}

constexpr std::uint64_t slow = 1;  // in an algorithm: without the tensor cores that could compute it

struct Preference {
  std::uint64_t implementations = ~std::uint64_t{0};
};
int preference_set(void* object, int attribute, const void* value, std::size_t bytes) {
  if (const int status = fake_response("preference_set")) return status;
  if (attribute == 12) std::memcpy(&static_cast<Preference*>(object)->implementations, value, bytes);
  return 0;
}

// By fused multiply-add (1) or, for all but floats that are not rounded, by tensor cores (2). Unless tensor cores are
// asked for, the slower one comes first.
int choose(void*, void* product, void* a, void*, void*, void*, void* preference, int, MatmulChoice* choice,
           int* found) {
  if (const int status = fake_response("choose")) return status;
  const std::uint64_t allowed = static_cast<Preference*>(preference)->implementations;
  const bool tensor_cores = static_cast<Matrix*>(a)->type != 0 || static_cast<Product*>(product)->compute == 77;
  if (!(allowed & 1) && (!tensor_cores || fake_refused() == "tensor cores")) return *found = 0, 15;
  *choice = {};
  choice->algo.data[0] = tensor_cores && (allowed & 1) ? slow : 0;
  choice->workspace_bytes = 128;
  return *found = 1, 0;
}
int multiply(void*, void* product, const void*, const void* a, void* am, const void* b, void* bm, const void*,
             const void*, void*, void* d, void* dm, const MatmulAlgo* algo, void* workspace, std::size_t bytes,
             void* stream) {
  if (const int status = fake_response("multiply")) return status;
  const Product p = *static_cast<Product*>(product);
  const Matrix x = *static_cast<Matrix*>(am), y = *static_cast<Matrix*>(bm), z = *static_cast<Matrix*>(dm);
  if (fake_captures(stream)) fake_note(told(p, x, z) + (algo->data[0] == slow ? " without tensor cores" : ""));
  FakeCall call{"multiply"};
  call.uses = {a, b, d, p.bias, workspace};
  call.reads = {x.range(a), y.range(b)};
  call.writes = {z.range(d), FakeRange::of(workspace, bytes)};
  const bool sums = p.epilogue & bias_gradient;
  if (p.bias && (sums || p.epilogue & bias))
    (sums ? call.writes : call.reads)
        .push_back(FakeRange::of(p.bias, (sums ? z.columns : z.rows) * size_of(p.bias_type)));
  call.operations = 2.0 * static_cast<double>(z.rows * z.columns * (p.transposed[0] ? x.rows : x.columns));
  const int code = fake_enqueue(stream, std::move(call), [=] {
    if (!fake_computes()) return;
    std::memset(workspace, 0xEE, bytes);
    multiply_all(p, a, x, b, y, d, z);
  });
  return code == 0 ? 0 : execution_failed;
}

}  // namespace

CublasLtTable fake_cublas_lt() {
  CublasLtTable t{};
  t.version = [] { return std::size_t{130000}; };
  t.create = [](void** h) { return fake_make<int>("create", h); };
  t.destroy = [](void* h) { return fake_drop<int>(h); };
  t.product_make = [](void** p, int compute, int) { return fake_make<Product>("product_make", p, compute); };
  t.product_drop = [](void* p) { return fake_drop<Product>(p); };
  t.product_set = product_set;
  t.matrix_make = [](void** m, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
    return fake_make<Matrix>("matrix_make", m, type, rows, columns, leading);
  };
  t.matrix_drop = [](void* m) { return fake_drop<Matrix>(m); };
  t.preference_make = [](void** p) { return fake_make<Preference>("preference_make", p); };
  t.preference_drop = [](void* p) { return fake_drop<Preference>(p); };
  t.preference_set = preference_set;
  t.choose = choose;
  t.multiply = multiply;
  return t;
}

}  // namespace nw::cuda
