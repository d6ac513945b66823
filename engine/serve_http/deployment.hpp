// SPDX-License-Identifier: Apache-2.0
// A folder from which the inference server is started elsewhere: as a container, or by Kubernetes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/files.hpp"

namespace nw::serve_http {

struct DeploymentRequest {
  fs::path run;
  std::string checkpoint = "best";
  fs::path programs;  // netwright-cli and its modules
  fs::path to;        // made by write_deployment(); nothing may be there
};
struct Deployment {
  std::string name;                // of everything in Kubernetes: a DNS label
  std::string checkpoint;          // that is served
  std::vector<std::string> files;  // written, relative to the folder
  std::uint64_t bytes = 0;         // of these files
};
/// Writes bin/ (program and modules), model/NAME/ (the run with one checkpoint, without the optimizer's state and
/// without paths of this computer), Containerfile, kubernetes.yaml (Deployment, Service, HorizontalPodAutoscaler) and
/// README.md. The folder appears whole or not at all. Errc::usage: something is at its place.
Result<Deployment> write_deployment(const DeploymentRequest&);

/// "netwright-" and the model's name as a label of RFC 1035: small letters, digits and "-", at most 63.
std::string dns_label(std::string_view model);
std::string containerfile(std::string_view model);
std::string kubernetes_yaml(std::string_view model);

}  // namespace nw::serve_http
