// SPDX-License-Identifier: Apache-2.0
// An evaluation as one page to keep, send and print: HTML that needs no network, no script and no other file, in
// English and 中文.
#pragma once
#include "engine/data/dataset.hpp"
#include "engine/predict/metrics.hpp"
#include "engine/predict/predictor.hpp"

namespace nw {

struct ReportContent {
  const RunDefinition* run = nullptr;
  std::string run_name, checkpoint, split,
      data;  // folder's name; what stands for "best"; "test"; "MNIST, 60 000 images"
  // with probabilities: without them there are no curves and no metrics
  const Evaluation* evaluation = nullptr;
  std::shared_ptr<const Dataset> images;  // indexed by evaluation->sample
};
/// UTF-8. Everything from the run or its data is escaped; images are PNGs in data: URIs.
Result<std::string> html_report(const ReportContent&);

/// One line per class: class,support,precision,recall,f1,roc_auc,average_precision; then the two means. RFC 4180.
std::string metrics_csv(const Metrics&, const std::vector<std::string>& names);
/// "value,mean,deviation,mae,rmse,r2", a line for each number.
std::string values_csv(const std::vector<ValueMetrics>&, const std::vector<std::string>& names);

}  // namespace nw
