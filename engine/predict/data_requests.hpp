// SPDX-License-Identifier: Apache-2.0
// Requests to the helper process about data. The handlers and the table's rows are in data_operations.cpp,
// explore_operations.cpp and outputs_operation.cpp.
#pragma once
#include "engine/predict/fields.hpp"

namespace nw::protocol {

inline constexpr std::size_t most_thumbnails = 4096;
inline constexpr std::int64_t largest_thumbnail = 1024, largest_index = std::int64_t{1} << 40;

/// Common fields of requests about a data set.
struct DataSelection {
  DataChoice data{};
  std::string data_dir{};
  void fields(Fields&);
};

struct OpenDataRequest {
  static constexpr const char* name = "open_data";
  DataSelection source{};
  void fields(Fields& f) { source.fields(f); }
};
struct SurveyRequest {
  static constexpr const char* name = "survey";
  std::string path{};
  void fields(Fields&);
};
struct SamplesRequest {
  static constexpr const char* name = "samples";
  DataSelection source{};
  std::string split = "train";
  std::int64_t begin = 0, count = 0, size = 1;
  void fields(Fields&);
};
struct AugmentedRequest {
  static constexpr const char* name = "augmented";
  DataSelection source{};
  TrainSettings settings{};
  std::int64_t count = 0, size = 1;
  void fields(Fields&);
};
struct CheckRequest {
  static constexpr const char* name = "check";
  DataSelection source{};
  void fields(Fields& f) { source.fields(f); }
};
struct ImagesRequest {
  static constexpr const char* name = "images";
  DataSelection source{};
  std::vector<StoredSample> samples{};
  std::int64_t size = 1;
  void fields(Fields&);
};
struct LabelsRequest {
  static constexpr const char* name = "labels";
  DataSelection source{};
  std::string split = "train";
  void fields(Fields&);
};
struct OrderByNameRequest {
  static constexpr const char* name = "order_by_name";
  DataSelection source{};
  std::string split = "train";
  void fields(Fields&);
};
struct TonesRequest {
  static constexpr const char* name = "tones";
  DataSelection source{};
  std::string split = "train";
  std::int64_t begin = 0;
  void fields(Fields&);
};
struct LossesRequest {
  static constexpr const char* name = "losses";
  DataSelection source{};
  std::string split = "train";
  void fields(Fields&);
};
struct OutputsRequest {
  static constexpr const char* name = "outputs";
  Json project = Json::object();
  std::vector<std::string> names{};
  std::int64_t sample = 0;
  std::string run{}, checkpoint{};
  void fields(Fields&);
};
struct DecodeRequest {
  static constexpr const char* name = "decode";
  std::string path{};
  std::int64_t size = 1;
  void fields(Fields&);
};

/// "train", "validation" or "test".
void split_field(Fields&, std::string& split, Need = Need::optional);

}  // namespace nw::protocol
