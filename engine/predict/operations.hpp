// SPDX-License-Identifier: Apache-2.0
// The operations of the helper process: one table of records, each with the struct of its request and its handler.
// Private to engine/predict. One thread.
#pragma once
#include <functional>
#include <list>

#include "engine/data/batches/batch.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/dataset.hpp"
#include "engine/predict/arrays.hpp"
#include "engine/predict/pixels.hpp"
#include "engine/predict/predictor.hpp"
#include "engine/predict/run_requests.hpp"
#include "engine/predict/serve.hpp"

namespace nw::predicting {

using namespace nw::protocol;

/// A data set's sample as stored; an error if the sample does not exist.
Result<Image> pixels_of(const Dataset&, std::int64_t i);

/// Fails if `count` RGBA thumbnails of size × size exceed the payload limit of a message.
Status check_thumbnails(std::size_t count, std::int64_t size);

/// Called with 0 to 1 during an operation; false cancels.
using Progress = std::function<bool(double)>;
/// The context of a request.
struct Work {
  const std::vector<std::uint8_t>& payload;
  const Progress& progress;
};

/// Sets a predictor's data and progress for one call and resets them afterwards, also if the call throws.
class Borrowed {
 public:
  Borrowed(Predictor& p, std::shared_ptr<const SplitData> data, const Progress& progress) : p_(p) {
    p_.use_data(std::move(data));
    p_.progress = progress;
  }
  ~Borrowed() {
    p_.progress = nullptr;
    p_.use_data(nullptr);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

 private:
  Predictor& p_;
};

enum class Presence { always, sometimes };
struct AnswerField {
  const char* name;
  const char* what;
  Presence presence = Presence::always;
  ArrayType array = ArrayType::none;  // else it is an array of the payload (arrays.hpp)
};

class Operations;

/// A row of the table.
struct Operation {
  const char* name;
  const char* what;
  std::vector<FieldRow> request;
  std::vector<AnswerField> answer;
  const char* payload;  // of the response, beside its arrays; empty: none
  std::function<Result<Message>(Operations&, const Message&, const Progress&)> handler;
};

/// The request is parsed and checked before `handler` is called.
template <class Request>
Operation operation(const char* what, Result<Message> (Operations::*handler)(const Request&, const Work&),
                    std::vector<AnswerField> answer, const char* payload = "") {
  return {Request::name,
          what,
          list_fields([](Fields& f) { Request().fields(f); }),
          std::move(answer),
          payload,
          [handler](Operations& on, const Message& message, const Progress& progress) -> Result<Message> {
            NW_ASSIGN(const Request request, request_from<Request>(message.json));
            return (on.*handler)(request, {message.payload, progress});
          }};
}

/// Sources, their splits and networks stay open between requests: the two most recently used of each. Another split of
/// the same source reads no file again; a source whose file or folder has changed is reopened.
class Operations {
 public:
  /// All operations except "cancel", which the loop of the helper process handles.
  static const std::vector<Operation>& table();
  Result<Message> answer(const Message& request, const Progress& progress);

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
  struct CachedEvaluation {
    std::string key;
    std::shared_ptr<const SplitData> data;  // the evaluated data
    Evaluation evaluation;
  };

  static std::vector<Operation> data_rows();
  Result<Message> open_data(const OpenDataRequest&, const Work&);
  Result<Message> survey(const SurveyRequest&, const Work&);
  Result<Message> samples(const SamplesRequest&, const Work&);
  Result<Message> augmented(const AugmentedRequest&, const Work&);
  Result<Message> check(const CheckRequest&, const Work&);
  Result<Message> images(const ImagesRequest&, const Work&);

  static std::vector<Operation> explore_rows();
  Result<Message> labels(const LabelsRequest&, const Work&);
  Result<Message> order_by_name(const OrderByNameRequest&, const Work&);
  Result<Message> tones(const TonesRequest&, const Work&);
  Result<Message> losses(const LossesRequest&, const Work&);

  static std::vector<Operation> network_rows();
  Result<Message> open_run(const OpenRunRequest&, const Work&);
  Result<Message> thumbnails(const ThumbnailsRequest&, const Work&);
  Result<Message> sample(const SampleRequest&, const Work&);
  Result<Message> predict(const PredictRequest&, const Work&);
  Result<Message> predict_file(const PredictFileRequest&, const Work&);
  Result<Message> decode(const DecodeRequest&, const Work&);
  Result<Message> activation(const ActivationRequest&, const Work&);
  Result<Message> filters(const FiltersRequest&, const Work&);
  Result<Message> explain(const ExplainRequest&, const Work&);

  static std::vector<Operation> evaluation_rows();
  Result<Message> evaluate(const EvaluateRequest&, const Work&);
  Result<Message> curves(const CurvesRequest&, const Work&);
  Result<Message> report(const ReportRequest&, const Work&);
  Result<Message> suspects(const SuspectsRequest&, const Work&);

  static std::vector<Operation> feature_rows();
  Result<Message> neighbours(const NeighboursRequest&, const Work&);
  Result<Message> map(const MapRequest&, const Work&);

  static std::vector<Operation> outputs_rows();
  Result<Message> outputs(const OutputsRequest&, const Work&);

  Result<const Source*> source_of(const DataChoice&, const std::string& data_dir, bool allow_synthetic);
  Result<const Opened*> data_of(const DataChoice&, const std::string& data_dir, bool allow_synthetic);
  Result<const Opened*> data_of(const DataSelection&);
  /// The data that the network's run was trained on.
  Result<const Opened*> data_of(const Network&);
  Result<Network*> network_of(const Weights&);
  /// The network's features of a split; cached in the same manner as evaluations.
  Result<const Seen*> seen(const Weights&, const std::string& split, std::int64_t most, const Progress&);
  /// The cached evaluation of a split; computed if there is none, if the data has changed, or if `anew` is true.
  Result<const CachedEvaluation*> evaluated(const Weights&, const std::string& split, const Progress&,
                                            bool anew = false);
  /// A sample of the run's data.
  Result<Image> image_of(const Network&, const std::string& split, std::int64_t sample);

  std::list<Source> sources_;
  std::list<Opened> opened_;
  std::list<Network> networks_;
  std::list<CachedEvaluation> evaluated_;
  std::list<Seen> seen_;
};

}  // namespace nw::predicting
