// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/sample_set.hpp"

#include "engine/design/project_file.hpp"
#include "engine/predict/data_requests.hpp"

namespace nw::ui {

SampleSet samplesOfData(const DataChoice& choice, bool testSet) {
  DataChoice source = choice;  // indices do not depend on the excluded samples
  source.excluded.clear();
  const auto ask = [source, testSet](const std::vector<qint64>& samples, int size) {
    protocol::ImagesRequest request{.source = {source}, .size = size};
    for (const qint64 sample : samples) request.samples.push_back({sample, testSet});
    return protocol::message_of(request);
  };
  return {QStringLiteral("data %1 %2").arg(testSet ? 1 : 0).arg(QString::fromStdString(canonical(to_json(source)))),
          std::make_shared<SampleSet::Ask>(ask)};
}

SampleSet samplesOfRun(const protocol::Weights& weights, const QString& split) {
  const auto ask = [weights, part = split.toStdString()](const std::vector<qint64>& samples, int size) {
    return protocol::message_of(
        protocol::ThumbnailsRequest{weights, part, {samples.begin(), samples.end()}, static_cast<std::int64_t>(size)});
  };
  return {QStringLiteral("run %1 %2").arg(split, QString::fromStdString(weights.run)),
          std::make_shared<SampleSet::Ask>(ask)};
}

}  // namespace nw::ui
