// SPDX-License-Identifier: Apache-2.0
// What the helper can do, each as a function from request to answer; private to engine/predict. One thread.
#pragma once
#include <functional>
#include <list>

#include "engine/data/batches/batch.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/dataset.hpp"
#include "engine/predict/pixels.hpp"
#include "engine/predict/predictor.hpp"
#include "engine/predict/serve.hpp"

namespace nw::predicting {

/// A data set's sample as it is stored; refused where there is none.
Result<Pixels> pixels_of(const Dataset&, std::int64_t i);

/// Sources, their splits and networks stay open between requests: the two newest of each. Another split of the same
/// source reads no file again; a source whose file or folder changed is opened anew.
class Operations {
 public:
  /// `progress` says how far it is and whether to go on.
  Result<Message> answer(const Message& request, const std::function<bool(double)>& progress);

 private:
  struct Source {
    std::string key;
    OpenedData data;
    bool fell_back = false;
    fs::file_time_type changed;
  };
  struct Opened {
    std::string key;
    std::shared_ptr<const SplitData> data;
    Normalization normalization;
    bool fell_back = false;
  };
  struct Network {
    std::string key, checkpoint;
    std::unique_ptr<Predictor> predictor;
  };
  struct Seen {
    std::string key;
    std::shared_ptr<const SplitData> data;
    Features features;
  };
  struct Evaluated {
    std::string key;
    std::shared_ptr<const SplitData> data;  // what was looked at
    Evaluation evaluation;
  };

  Result<Message> open_data(const Json&);
  Result<Message> samples(const Json&);
  Result<Message> augmented(const Json&);
  Result<Message> open_run(const Json&);
  Result<Message> evaluate(const Json&, const std::function<bool(double)>&);
  Result<Message> curves(const Json&, const std::function<bool(double)>&);
  Result<Message> check(const Json&, const std::function<bool(double)>&);
  Result<Message> images(const Json&);
  Result<Message> labels(const Json&);
  Result<Message> order_by_name(const Json&, const std::function<bool(double)>&);
  Result<Message> tones(const Json&);
  Result<Message> losses(const Json&);
  Result<Message> suspects(const Json&, const std::function<bool(double)>&);
  Result<Message> neighbours(const Json&, const std::function<bool(double)>&);
  Result<Message> map(const Json&, const std::function<bool(double)>&);
  Result<Message> report(const Json&, const std::function<bool(double)>&);
  Result<Message> thumbnails(const Json&);
  Result<Message> predict(const Message&);
  Result<Message> predict_file(const Json&);
  Result<Message> decode(const Json&);
  Result<Message> activation(const Json&);
  Result<Message> filters(const Json&);
  Result<Message> outputs(const Json&);
  Result<Message> explain(const Json&);

  Result<const Source*> source_of(const DataChoice&, const std::string& data_dir, bool allow_synthetic);
  Result<const Opened*> data_of(const DataChoice&, const std::string& data_dir, bool allow_synthetic);
  Result<const Opened*> data_of_request(const Json&);
  Result<Network*> network_of(const Json&);
  /// How the network of a request sees a split; kept as evaluations are.
  Result<const Seen*> seen(const Json&, const std::string& split, std::int64_t most,
                           const std::function<bool(double)>& progress);
  /// What the network of a request says of the split it names: the same as before unless `anew`, or the data has
  /// changed.
  Result<const Evaluated*> evaluated(const Json&, const std::function<bool(double)>& progress, bool anew = false);
  /// The image that a request about a run's data names.
  Result<Pixels> requested_image(const Json&, Predictor&);

  std::list<Source> sources_;
  std::list<Opened> opened_;
  std::list<Network> networks_;
  std::list<Evaluated> evaluated_;
  std::list<Seen> seen_;
};

}  // namespace nw::predicting
