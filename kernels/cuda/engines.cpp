// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/engines.hpp"

namespace nw::cuda {
namespace {

constexpr int cublas_no_memory = 3, cudnn_no_memory_on_host = 4003, cudnn_no_memory = 4004;
constexpr const char* choice_rule =
    ", tensor cores first, the fastest of eight";  // choices by another rule are not used
constexpr std::size_t most_measured = 8;
constexpr std::int64_t most_workspace_bytes = std::int64_t{256} << 20;

// A library's handle, or null; `note` receives the user's note about the library.
void* open(bool there, const char* layers, const char* library, std::size_t (*version)(), int (*create)(void**),
           std::string& note) {
  void* handle = nullptr;
  note = std::string(layers) + ": own kernels, there is no " + library;
  if (!there) return nullptr;
  const int status = create(&handle);
  if (status == 0)
    note = std::string(layers) + ": " + library + " " + std::to_string(version());
  else
    note = std::string(layers) + ": own kernels, " + library + " did not start (status " + std::to_string(status) + ")";
  return status == 0 ? handle : nullptr;
}

// What a cuDNN plan depends on besides its graph; empty: unknown.
std::string machine(int device) {
  const DriverApi& b = driver_api();
  char name[256] = "";
  int major = 0, minor = 0, driver = 0;
  if (!b.libraries.has_cudnn() || b.driver.device_name(name, sizeof name, device) != 0 ||
      b.driver.device_attribute(&major, attribute_capability_major, device) != 0 ||
      b.driver.device_attribute(&minor, attribute_capability_minor, device) != 0 ||
      b.driver.driver_version(&driver) != 0)
    return {};
  return std::string(name) + " " + std::to_string(major) + "." + std::to_string(minor) + ", driver " +
         std::to_string(driver) + ", cuDNN " + std::to_string(b.libraries.cudnn.version()) + choice_rule;
}

}  // namespace

Engines::Engines(std::string device, int ordinal, DriverStream stream)
    : device_(std::move(device)),
      cache_(machine(ordinal).empty() ? std::string() : driver_api().plan_cache, machine(ordinal)),
      notes_(2) {
  const Libraries& l = driver_api().libraries;
  cublas_lt_ = open(l.has_cublas_lt(), "linear layers", "cuBLASLt", l.cublas_lt.version, l.cublas_lt.create, notes_[0]);
  cudnn_ = open(l.has_cudnn(), "convolutions", "cuDNN", l.cudnn.version, l.cudnn.create, notes_[1]);
  if (!cudnn_) return;
  if (const int status = l.cudnn.set_stream(cudnn_, stream)) {
    notes_[1] = "convolutions: own kernels, cuDNN did not start (status " + std::to_string(status) + ")";
    l.cudnn.destroy(std::exchange(cudnn_, nullptr));
    return;
  }
  if (cache_.keeps()) tuner_.emplace(cudnn_, stream);
}

Engines::~Engines() {
  products_.clear();
  plans_.clear();
  tuner_.reset();
  if (cublas_lt_) driver_api().libraries.cublas_lt.destroy(cublas_lt_);
  if (cudnn_) driver_api().libraries.cudnn.destroy(cudnn_);
}

std::shared_ptr<PreparedProduct> Engines::product(const Product& p) {
  if (!cublas_lt_) return nullptr;
  const auto [at, is_new] = products_.try_emplace(p);
  if (!is_new) return at->second;
  if (auto made = PreparedProduct::make(cublas_lt_, p)) at->second = *made;
  return at->second;
}

std::shared_ptr<CudnnPlan> Engines::plan(const Graph& graph) {
  if (!cudnn_) return nullptr;
  const auto [at, is_new] = plans_.try_emplace(graph.line());
  if (!is_new) return at->second;
  if (const auto kept = cache_.find(at->first)) {
    if (auto made = CudnnPlan::from_text(graph, {.handle = cudnn_}, *kept)) return at->second = *made;
    cache_.refuse();
  }
  if ((at->second = choose(graph))) cache_.keep(at->first, at->second->text());
  return at->second;
}

std::shared_ptr<CudnnPlan> Engines::choose(const Graph& graph) {
  const auto plans = CudnnPlan::candidates(graph, {.handle = cudnn_}, most_workspace_bytes, tuner_ ? most_measured : 1);
  if (!plans) return nullptr;
  return tuner_ ? tuner_->fastest(graph, *plans) : plans->front();
}

std::vector<std::string> Engines::notes() const {
  std::vector<std::string> all = notes_;
  if (cache_.damaged())
    all.push_back(std::to_string(cache_.damaged()) +
                  " damaged file(s) in the plan cache were ignored and written anew");
  return all;
}

Status Engines::enqueue(const CudnnPlan& plan, const std::vector<void*>& addresses, void* workspace) const {
  const int status = plan.enqueue(cudnn_, addresses, workspace);
  return status == 0 ? Status() : Status(failed("cuDNN", status));
}

Error Engines::failed(const char* library, int status) const {
  if (status == cublas_no_memory || status == cudnn_no_memory || status == cudnn_no_memory_on_host)
    return fail(Errc::out_of_memory, NW_TR("{0} is out of memory ({1}); make the batch smaller, or train on cpu"),
                device_, library);
  return fail(Errc::other,
              NW_TR("{0} stopped working ({1}, {2}); resume from the last checkpoint, or with --device cpu"), device_,
              library, "status " + std::to_string(status));
}

}  // namespace nw::cuda
