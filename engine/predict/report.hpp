// SPDX-License-Identifier: Apache-2.0
// An evaluation as one printable HTML page that needs no network, no script and no other file, in English and Chinese.
#pragma once
#include "engine/data/dataset.hpp"
#include "engine/predict/metrics.hpp"
#include "engine/predict/predictor.hpp"

namespace nw {

struct ReportContent {
  const RunDefinition* run = nullptr;
  std::string run_name, checkpoint, split,
      data;  // folder's name; checkpoint that "best" refers to; "test"; "MNIST, 60 000 images"
  // without probabilities the page has no curves and no metrics
  const Evaluation* evaluation = nullptr;
  std::shared_ptr<const Dataset> images;  // indexed by evaluation->sample
  std::vector<EpochEnd> epochs{};         // of the training
};
/// The page as UTF-8. All text from the run or its data is escaped; images are PNGs in data: URIs.
Result<std::string> html_report(const ReportContent&);

/// CSV with one line per class: class,support,precision,recall,f1,roc_auc,average_precision; then the two means. RFC
/// 4180.
std::string metrics_csv(const Metrics&, const std::vector<std::string>& names);
/// CSV with the columns "value,mean,deviation,mae,rmse,r2" and one line for each value.
std::string values_csv(const std::vector<ValueMetrics>&, const std::vector<std::string>& names);

}  // namespace nw
