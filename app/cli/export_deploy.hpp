// SPDX-License-Identifier: Apache-2.0
// The parts of `export` and `verify` for C libraries and bundles.
#pragma once
#include <string>

#include "engine/deploy/bundle.hpp"
#include "engine/deploy/int8_library.hpp"

namespace nw::cli {

struct DeployExport {
  const exchange::ExportSource& source;
  exchange::ProofInputs inputs;
  std::string run, checkpoint;  // a project's file instead of a run: the model card says that nothing was trained
  bool weights_file = false, force = false, json = false;
};
/// Exit codes of the command.
int export_c(const DeployExport&, const std::string& folder);
/// Of a run in 8 bits.
int export_c(const deploy::Int8Source&, const deploy::CLibraryOptions&, const exchange::ProofInputs&, bool json,
             const std::string& folder);
int export_bundle(const DeployExport&, const std::string& folder);
int verify_bundle(const std::string& folder, bool json);

}  // namespace nw::cli
