// SPDX-License-Identifier: Apache-2.0
// What Kubernetes and the MPI operator accept, as a table: the part that Netwright writes. The schema of the operator
// lets through names and keys that the operator later refuses or ignores; nothing else is let through here.
#pragma once
#include "engine/core/json.hpp"

namespace nw::submit {

/// Errc::bad_input, with the path of the member: a Job of batch/v1, or an MPIJob of kubeflow.org/v2beta1, that has an
/// unknown key, a wrong type or value, lacks what is required, or that the operator refuses.
Status check_manifest(const Json&);

}  // namespace nw::submit
