// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/backend.hpp"

#include "kernels/catalogue.hpp"
#include "kernels/cuda/executable.hpp"
#include "kernels/cuda/launch_planner.hpp"
#include "kernels/cuda/watchdog.hpp"

namespace nw::cuda {
namespace {

constexpr int oldest_driver = 13000, oldest_capability = 8;  // CUDA 13.0; Ampere

class CudaDevice final : public Device {
 public:
  CudaDevice(int ordinal, int device) : gpu_(std::make_shared<Gpu>(ordinal, device)) {}
  std::string name() const override { return gpu_->name(); }
  std::string description() const override {
    char text[256] = "";
    if (driver_api().driver.device_name(text, sizeof text, gpu_->device()) != 0) return "NVIDIA GPU";
    return text;
  }
  std::int64_t memory_bytes() const override {
    std::size_t bytes = 0;
    return driver_api().driver.device_memory(&bytes, gpu_->device()) == 0 ? static_cast<std::int64_t>(bytes) : 0;
  }
  std::string bus_id() const override {
    char text[32] = "";
    return driver_api().driver.device_bus_id(text, sizeof text, gpu_->device()) == 0 ? text : "";
  }
  Text supports(const Plan& plan, const Step& step) const override {
    (void)plan;
    if (!is_exchange(step.kernel) && !find_entry(step.kernel))
      return text(NW_TR("{0} has no {1}"), name(), step.kernel);
    if (rounds_operands(step)) return text(NW_TR("{0} rounds operands by steps of their own"), name());
    return {};
  }
  bool gains_by(DType format) const override { return format == DType::bf16 || format == DType::f16; }
  DType stored_as(DType compute) const override {
    return compute == DType::bf16 || compute == DType::f16 ? compute : DType::f32;
  }
  std::int64_t bytes_of(const Plan&, const Value& v) const override {
    return v.shape.elements() * static_cast<std::int64_t>(size_of(v.dtype));
  }
  Result<std::unique_ptr<Executable>> prepare(const Plan& plan, const PrepareArgs& args) const override {
    auto e = std::make_unique<CudaExecutable>(plan, args, gpu_);
    NW_TRY(e->prepare(args));
    return std::unique_ptr<Executable>(std::move(e));
  }

 private:
  std::shared_ptr<Gpu> gpu_;
};

int attribute(int device, int which) {
  int value = 0;
  return driver_api().driver.device_attribute(&value, which, device) == 0 ? value : 0;
}

// Initializes the driver. Returns an empty text, or the reason why it cannot be used.
Text driver_trouble() {
  const DriverApi& b = driver_api();
  if (!b.missing_driver.empty()) return b.missing_driver;
  if (const int code = b.driver.init(0); code != 0) return driver_error(code, "CUDA", "starting").what;
  int version = 0;
  if (b.driver.driver_version(&version) == 0 && version < oldest_driver)
    return text(
        NW_TR(
            "the NVIDIA driver supports CUDA {0}.{1} and 13.0 is needed; install driver 580 or later, or train on cpu"),
        version / 1000, version % 1000 / 10);
  return {};
}

std::vector<int> ordinals() {
  int count = 0;
  std::vector<int> all;
  if (driver_api().driver.device_count(&count) != 0) return all;
  for (int i = 0; i < count; ++i)
    if (int device = 0; driver_api().driver.device_get(&device, i) == 0) all.push_back(device);
  return all;
}

// In the driver's order; GPUs that are too old are omitted.
std::vector<std::shared_ptr<Device>> devices() {
  static const std::vector<std::shared_ptr<Device>> found = [] {
    std::vector<std::shared_ptr<Device>> all;
    const Watched guard({.device = "CUDA", .doing = "looking for GPUs", .patience = 15});
    if (!driver_trouble().empty()) return all;
    for (const int device : ordinals())
      if (attribute(device, attribute_capability_major) >= oldest_capability)
        all.push_back(std::make_shared<CudaDevice>(static_cast<int>(all.size()), device));
    return all;
  }();
  return found;
}

std::vector<Text> missing(int used) {
  if (const Text trouble = driver_trouble(); !trouble.empty()) return {trouble};
  if (!devices().empty()) {
    std::vector<Text> slower;  // the reasons why training is slower than it could be
    const std::size_t count = used > 0 ? static_cast<std::size_t>(used) : devices().size();
    if (count > 1 && driver_api().nccl && !driver_api().nccl().missing.empty())
      slower.push_back(driver_api().nccl().missing);
    for (const Text* t : {&driver_api().libraries.missing_cublas_lt, &driver_api().libraries.missing_cudnn})
      if (!t->empty()) slower.push_back(*t);
    return slower;
  }
  if (ordinals().empty())
    return {
        text(NW_TR("the NVIDIA driver finds no GPU; check that the card is seated and that this user may open "
                   "/dev/nvidia0, or train on cpu"))};
  return {text(NW_TR("the GPU here is too old: compute capability 8.0 (Ampere) is needed; train on cpu"))};
}

}  // namespace

const Backend& cuda_backend() {
  static const Backend backend{backend_api_version, "cuda", devices, missing};
  return backend;
}

}  // namespace nw::cuda
