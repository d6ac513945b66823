// SPDX-License-Identifier: Apache-2.0
// What the helper can do, each as a function from request to answer; private to engine/predict. One thread.
#pragma once
#include <functional>
#include <list>

#include "engine/predict/pixels.hpp"
#include "engine/predict/predictor.hpp"
#include "engine/predict/serve.hpp"

namespace nw::predicting {

/// Sources, their splits and networks stay open between requests: the two newest of each. Another split of the same source reads
/// no file again; a source whose file or folder changed is opened anew.
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

  Result<Message> open_data(const Json&);
  Result<Message> samples(const Json&);
  Result<Message> augmented(const Json&);
  Result<Message> open_run(const Json&);
  Result<Message> evaluate(const Json&, const std::function<bool(double)>&);
  Result<Message> thumbnails(const Json&);
  Result<Message> predict(const Message&);
  Result<Message> predict_file(const Json&);
  Result<Message> decode(const Json&);
  Result<Message> activation(const Json&);
  Result<Message> outputs(const Json&);
  Result<Message> explain(const Json&);

  Result<const Source*> source_of(const DataChoice&, const std::string& data_dir, bool allow_synthetic);
  Result<const Opened*> data_of(const DataChoice&, const std::string& data_dir, bool allow_synthetic);
  Result<const Opened*> data_of_request(const Json&);
  Result<Network*> network_of(const Json&);
  /// The image that a request about a run's data names.
  Result<Pixels> requested_image(const Json&, Predictor&);

  std::list<Source> sources_;
  std::list<Opened> opened_;
  std::list<Network> networks_;
};

}  // namespace nw::predicting
