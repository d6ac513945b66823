// SPDX-License-Identifier: Apache-2.0
// What the helper can do, each as a function from request to answer; private to engine/predict. One thread.
#pragma once
#include <functional>
#include <list>

#include "engine/predict/pixels.hpp"
#include "engine/predict/predictor.hpp"
#include "engine/predict/serve.hpp"

namespace nw::predicting {

/// Data sets and predictors stay open between requests: the two newest of each.
class Operations {
 public:
  /// `progress` says how far it is and whether to go on.
  Result<Message> answer(const Message& request, const std::function<bool(double)>& progress);

 private:
  struct Opened {
    std::string key;
    OpenedData data;
    Splits splits;
    bool fell_back = false;
  };
  struct Network {
    std::string key;
    std::unique_ptr<Predictor> predictor;
  };
  struct View;  // one split of one data set

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

  Result<Opened*> data_of(const DataChoice&, const std::string& data_dir, bool allow_synthetic);
  Result<Opened*> data_of_request(const Json&);
  Result<Predictor*> network_of(const Json&);

  std::list<Opened> data_;
  std::list<Network> networks_;
};

}  // namespace nw::predicting
