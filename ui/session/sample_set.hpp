// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "engine/design/choice.hpp"
#include "engine/predict/run_requests.hpp"

namespace nw::ui {

/// The samples of one set, for requests of their thumbnails. Samples are data-set indices.
struct SampleSet {
  using Ask = std::function<Json(const std::vector<qint64>& samples, int size)>;
  QString key;                     // equal for equal sets: the pictures are shared by it
  std::shared_ptr<const Ask> ask;  // sends the request for `size` × `size` pixels to the helper process
};
/// The training or test set of a project's data. Excluded samples belong to it too.
SampleSet samplesOfData(const DataChoice& choice, bool testSet);
/// The set that contains a split ("train", "validation", "test") of the data that a run was trained on.
SampleSet samplesOfRun(const protocol::Weights& weights, const QString& split);

}  // namespace nw::ui
