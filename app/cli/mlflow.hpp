// SPDX-License-Identifier: Apache-2.0
// Runs sent to an MLflow tracking server by its REST interface (mlflow.org/docs/latest/rest-api.html, 2.0).
#pragma once
#include <string>
#include <vector>

#include "engine/runs/index/run_record.hpp"

namespace nw::cli {

struct MlflowTarget {
  std::string url;         // "http://host:5000"; a name and password in it are used
  std::string experiment;  // empty: the name of each run's project
};

/// Sends each run: settings as parameters, results and metrics.csv as metrics with their history, notes and texts as
/// tags. A run that was sent before is found by its tag and gets what is new; nothing is sent twice. Blocks; MLFLOW_
/// TRACKING_TOKEN is sent if it is set. Errc::usage: no address. Errc::other: the server cannot be reached or refuses.
Status send_to_mlflow(const MlflowTarget&, const std::vector<RunRecord>&);

}  // namespace nw::cli
