// SPDX-License-Identifier: Apache-2.0
// A valid plug-in. It registers the processor under the name of a GPU.
#include "kernels/api.hpp"

#ifndef NW_TEST_VERSION
#define NW_TEST_VERSION nw::backend_api_version
#endif
#ifndef NW_TEST_NAME
#define NW_TEST_NAME "cuda"
#endif

namespace {

class Gpu final : public nw::Device {
 public:
  explicit Gpu(int index) : index_(index) {}
  std::string name() const override { return "cuda:" + std::to_string(index_); }
  std::string description() const override { return "test GPU"; }
  std::int64_t memory_bytes() const override { return 1 << 30; }
  nw::Text supports(const nw::Plan&, const nw::Step&) const override { return {}; }
  std::int64_t bytes_of(const nw::Plan&, const nw::Value&) const override { return 64; }
  nw::Result<std::unique_ptr<nw::Executable>> prepare(const nw::Plan&, const nw::PrepareArgs&) const override {
    return nw::fail(nw::Errc::other, "a test device prepares nothing");
  }

 private:
  int index_;
};

std::vector<std::shared_ptr<nw::Device>> devices() {
#ifdef NW_TEST_NO_DEVICES
  return {};
#else
  return {std::make_shared<Gpu>(0), std::make_shared<Gpu>(1)};
#endif
}
std::vector<nw::Text> missing(int) { return {nw::text("the driver is missing; install it")}; }

const nw::Backend backend{NW_TEST_VERSION, NW_TEST_NAME, devices, missing};

}  // namespace

extern "C" const nw::Backend* netwright_backend() {
#ifdef NW_TEST_NULL
  return nullptr;
#else
  return &backend;
#endif
}
