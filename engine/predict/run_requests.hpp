// SPDX-License-Identifier: Apache-2.0
// Requests to the helper process about a run's network. The handlers and the table's rows are in
// network_operations.cpp, evaluation_operations.cpp and feature_operations.cpp.
#pragma once
#include "engine/predict/data_requests.hpp"

namespace nw::protocol {

/// Common fields of requests about a trained network.
struct Weights {
  std::string run{}, checkpoint = "best";
  void fields(Fields&);
};

struct OpenRunRequest {
  static constexpr const char* name = "open_run";
  Weights weights{};
  void fields(Fields& f) { weights.fields(f); }
};
struct EvaluateRequest {
  static constexpr const char* name = "evaluate";
  Weights weights{};
  std::string split = "test";
  void fields(Fields&);
};
struct CurvesRequest {
  static constexpr const char* name = "curves";
  Weights weights{};
  std::string split = "test";
  std::int64_t output = 0;
  void fields(Fields&);
};
struct ReportRequest {
  static constexpr const char* name = "report";
  Weights weights{};
  std::string split = "test", format = "html";
  void fields(Fields&);
};
struct NeighboursRequest {
  static constexpr const char* name = "neighbours";
  Weights weights{};
  std::string split = "test";
  std::int64_t sample = 0, limit = 1;
  void fields(Fields&);
};
struct MapRequest {
  static constexpr const char* name = "map";
  Weights weights{};
  std::string split = "test", method = "plane";
  std::int64_t limit = 1;
  void fields(Fields&);
};
struct SuspectsRequest {
  static constexpr const char* name = "suspects";
  Weights weights{};
  std::string split = "train";
  std::int64_t limit = 1;
  void fields(Fields&);
};
struct ThumbnailsRequest {
  static constexpr const char* name = "thumbnails";
  Weights weights{};
  std::string split = "test";
  std::vector<std::int64_t> samples{};
  std::int64_t size = 1;
  void fields(Fields&);
};
struct SampleRequest {
  static constexpr const char* name = "sample";
  Weights weights{};
  std::string split = "test", node{};
  std::int64_t sample = 0;
  void fields(Fields&);
};
/// The payload of the message is the image: u8 (height, width, channels).
struct PredictRequest {
  static constexpr const char* name = "predict";
  Weights weights{};
  std::int64_t height = 1, width = 1, channels = 1;
  void fields(Fields&);
};
struct PredictFileRequest {
  static constexpr const char* name = "predict_file";
  Weights weights{};
  std::string path{};
  void fields(Fields&);
};
struct ActivationRequest {
  static constexpr const char* name = "activation";
  Weights weights{};
  std::string split = "test", node{};
  std::int64_t sample = 0;
  void fields(Fields&);
};
struct FiltersRequest {
  static constexpr const char* name = "filters";
  Weights weights{};
  std::string node{};
  void fields(Fields&);
};
struct ExplainRequest {
  static constexpr const char* name = "explain";
  Weights weights{};
  std::string split = "test", method{}, layer{};
  std::int64_t sample = 0, target = -1;
  void fields(Fields&);
};

}  // namespace nw::protocol
