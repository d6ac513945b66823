// SPDX-License-Identifier: Apache-2.0
// Our files in OpenCV's DNN module, which shares no code with ours: what is written is what the network computes.
#include <gtest/gtest.h>

#ifdef NW_OPENCV_DNN
#include <opencv2/dnn.hpp>

#include "engine/design/project_file.hpp"
#include "tests/engine/exchange/networks.hpp"

namespace nw::exchange {
namespace {

constexpr double close = 1e-5;  // of the largest output
// OpenCV 4.6 multiplies an image by a gate for each of its channels only where the number of images is known.
constexpr std::int64_t images = 2;

Shape input_of(const GraphDoc& doc) {
  const auto flat = flatten(doc, {.training = false, .batch = 1});
  return flat->layers[static_cast<std::size_t>(flat->input)].shape;
}

/// OpenCV's outputs; nothing: it does not read or run the file.
std::optional<std::vector<float>> by_opencv(const onnx::Model& model, const Shape& image, std::int64_t count) {
  const std::string bytes = onnx::model_bytes(model);
  std::vector<float> pixels = noise(count * image.per_sample());
  const int sizes[] = {static_cast<int>(count), static_cast<int>(image[1]), static_cast<int>(image[2]),
                       static_cast<int>(image[3])};
  try {
    cv::dnn::Net net = cv::dnn::readNetFromONNX(bytes.data(), bytes.size());
    net.setInput(cv::Mat(4, sizes, CV_32F, pixels.data()));
    const cv::Mat out = net.forward();
    return std::vector<float>(out.ptr<float>(), out.ptr<float>() + out.total());
  } catch (const cv::Exception& e) {
    std::printf("%s\n", e.what());
    return std::nullopt;
  }
}

/// Relative to the largest output; nothing: OpenCV does not run it.
std::optional<double> difference(const GraphDoc& doc, const std::string& what) {
  const ExportSource source = source_of(doc);
  const auto model = export_onnx(source, {.preprocessing = false, .batch = images});
  EXPECT_TRUE(model) << what << ": " << model.error().str();
  if (!model) return std::nullopt;
  const auto theirs = by_opencv(*model, input_of(doc), images);
  return theirs ? std::optional(relative(*theirs, outputs(doc, source.weights, images))) : std::nullopt;
}

/// One layer on an image of 5 channels, or on a vector, before a Linear.
GraphDoc around(const char* type, const AttrMap& attrs, bool vector) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{5}}, {"height", std::int64_t{6}}, {"width", std::int64_t{4}}});
  if (vector) d.add("Flatten", "flat");
  d.add(type, "middle", attrs);
  if (!vector) d.add("Flatten", "flat");
  d.add("Linear", "fc", {{"out_features", std::int64_t{3}}});
  d.add("CrossEntropy", "loss");
  return doc;
}

TEST(InOpenCv, ResponseNormsOfAnyWindowComputeTheSame) {
  const AttrMap even{{"size", std::int64_t{4}}, {"alpha", 0.5}, {"beta", 0.6}};
  const std::tuple<const char*, AttrMap, bool> cases[] = {
      {"LocalResponseNorm", even, false},
      {"LocalResponseNorm", even, true},
      {"LocalResponseNorm", {{"size", std::int64_t{3}}, {"alpha", 0.5}}, false},
      {"LocalResponseNorm", {{"size", std::int64_t{3}}, {"alpha", 0.5}}, true}};

  for (const auto& [type, attrs, vector] : cases) {
    const auto off = difference(around(type, attrs, vector), type);
    ASSERT_TRUE(off) << type << ": OpenCV does not run it";
    EXPECT_LT(*off, close) << type << (vector ? " on a vector" : " on an image");
  }
}

TEST(InOpenCv, LimitsOfMobileNetworksComputeTheSame) {
  for (const bool vector : {false, true}) {
    const auto off = difference(around("ReLU6", {}, vector), "ReLU6");
    ASSERT_TRUE(off) << "OpenCV does not run it";
    EXPECT_LT(*off, close);
  }
}

TEST(InOpenCv, EveryConvolutionalTemplateComputesTheSame) {
  int ran = 0;
  for (const Template& t : all_templates()) {
    const GraphDoc doc = t.make();
    if (input_of(doc)[2] > 64 && !std::getenv("NETWRIGHT_LONG")) continue;  // networks for photos take their time
    const auto model = export_onnx(source_of(doc), {});
    ASSERT_TRUE(model) << t.name;
    if (model->opsets.at("") > 14) continue;  // LayerNormalization and Gelu are newer than OpenCV 4.6
    const auto off = difference(doc, std::string(t.name));
    ASSERT_TRUE(off) << t.name << ": OpenCV does not run it";
    EXPECT_LT(*off, close) << t.name;
    ++ran;
  }
  EXPECT_GE(ran, 11);
}

}  // namespace
}  // namespace nw::exchange

#else
TEST(InOpenCv, ResponseNormsOfAnyWindowComputeTheSame) {
  GTEST_SKIP() << "OpenCV's DNN module was not found (libopencv-dnn-dev)";
}
#endif
