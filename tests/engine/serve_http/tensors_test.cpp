// SPDX-License-Identifier: Apache-2.0
// Bodies of inference requests: what is read, and the sentence for what is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "engine/serve_http/tensors.hpp"

namespace nw::serve_http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<PixelScale> two_scales{{0, 1}, {0.5f, 0.5f}};
const ImageForm form{.channels = 2, .height = 1, .width = 2, .scales = two_scales, .max_images = 3};

Json request(std::int64_t images, Json more = Json::object()) {
  Json input{{"name", "images"}, {"datatype", "FP32"}, {"shape", {images, 2, 1, 2}}};
  input.update(more);
  return {{"inputs", {input}}};
}
std::string bytes_of(const std::vector<float>& v) {
  return {reinterpret_cast<const char*>(v.data()), v.size() * sizeof(float)};
}
std::string error_of(const std::string& body, const std::string& length = "") {
  const auto r = read_infer_request(body, length, form);
  return r ? "accepted" : r.error().str();
}

TEST(InferRequest, JsonPixelsBecomeNormalizedNumbersInHostLayout) {
  for (const Json& data : {Json{0, 255, 255, 0}, Json{{{{0, 255}}, {{255, 0}}}}}) {
    const auto r = read_infer_request(request(1, {{"data", data}}).dump(), "", form);
    ASSERT_TRUE(r) << r.error().str();
    EXPECT_EQ(r->images, 1);
    EXPECT_THAT(r->nhwc, ElementsAre(0, 1, 1, -1)) << "(C,H,W) in, (H,W,C) out";
    EXPECT_TRUE(r->scores.wanted && r->answers.wanted && !r->scores.binary && !r->answers.binary);
  }
}

TEST(InferRequest, BytesAfterTheJsonAreTheSameNumbers) {
  const std::string head = request(2, {{"parameters", {{"binary_data_size", 32}}}}).dump();
  const auto floats =
      read_infer_request(head + bytes_of({0, 255, 255, 0, 51, 0, 0, 51}), std::to_string(head.size()), form);
  ASSERT_TRUE(floats) << floats.error().str();
  EXPECT_THAT(floats->nhwc, ElementsAre(0, 1, 1, -1, testing::FloatEq(0.2f), -1, 0, testing::FloatEq(-0.6f)));
  const std::string small = request(2, {{"datatype", "UINT8"}, {"parameters", {{"binary_data_size", 8}}}}).dump();
  const auto bytes =
      read_infer_request(small + std::string("\0\xFF\xFF\0\x33\0\0\x33", 8), std::to_string(small.size()), form);
  ASSERT_TRUE(bytes) << bytes.error().str();
  EXPECT_EQ(bytes->nhwc, floats->nhwc);
}

TEST(InferRequest, OutputsAreChosenByNameAndForm) {
  Json j = request(1, {{"data", {0, 0, 0, 0}}});
  j["id"] = "seven";
  j["parameters"] = {{"binary_data_output", true}};
  j["outputs"] = {{{"name", "scores"}}};
  auto r = read_infer_request(j.dump(), "", form);
  ASSERT_TRUE(r) << r.error().str();
  EXPECT_EQ(r->id, "seven");
  EXPECT_TRUE(r->scores.wanted && r->scores.binary && !r->answers.wanted);
  j["outputs"] = {{{"name", "probabilities"}, {"parameters", {{"binary_data", false}}}}};
  r = read_infer_request(j.dump(), "", form);
  ASSERT_TRUE(r) << r.error().str();
  EXPECT_TRUE(r->answers.wanted && !r->answers.binary && !r->scores.wanted);
}

TEST(InferRequest, WhatIsWrongIsSaid) {
  const Json zeros{{"data", {0, 0, 0, 0}}};
  EXPECT_THAT(error_of("{"), HasSubstr("request:1:1"));
  EXPECT_EQ(error_of("[]"), "the body must be a JSON object");
  EXPECT_EQ(error_of("{}"), "\"inputs\" must be a list of one tensor");
  EXPECT_EQ(error_of(request(0, zeros).dump()), "a request has 1 to 3 images");
  EXPECT_EQ(error_of(request(4, zeros).dump()), "a request has 1 to 3 images");
  EXPECT_EQ(error_of(request(-1, zeros).dump()), "the tensor \"images\" needs the shape [N,2,1,2]");
  EXPECT_EQ(error_of(request(1, {{"data", {0, 0, 0}}}).dump()), "\"data\" must be 4 numbers");
  EXPECT_EQ(error_of(request(1, {{"data", {0, 0, 0, 0, 0}}}).dump()), "\"data\" must be 4 numbers");
  EXPECT_EQ(error_of(request(1, {{"data", {0, 0, 0, "0"}}}).dump()), "\"data\" must be 4 numbers");
  EXPECT_EQ(error_of(request(1, {{"data", {0, 0, 0, 256}}, {"datatype", "UINT8"}}).dump()),
            "\"data\" must be 4 numbers from 0 to 255");
  EXPECT_EQ(error_of(request(1, {{"data", {0, 0, 0, 1e39}}}).dump()), "pixels must be finite numbers");
  EXPECT_EQ(error_of(request(1).dump()), "a tensor has either \"data\" or \"binary_data_size\"");
  EXPECT_EQ(error_of(request(1, {{"data", {0}}, {"datatype", "FP64"}}).dump()),
            "the input's datatype must be FP32 or UINT8");
  EXPECT_EQ(error_of(request(1, {{"name", "pixels"}}).dump()), "the input's name is \"images\"");
  Json j = request(1, zeros);
  j["outputs"] = {{{"name", "loss"}}};
  EXPECT_EQ(error_of(j.dump()), "the outputs are \"scores\" and \"probabilities\"");
}

TEST(InferRequest, LengthsThatDisagreeAreRefused) {
  const std::string head = request(1, {{"parameters", {{"binary_data_size", 16}}}}).dump();
  const std::string length = std::to_string(head.size());
  EXPECT_EQ(error_of(head + bytes_of({1, 2, 3, 4}), length), "accepted");
  EXPECT_EQ(error_of(head + bytes_of({1, 2, 3}), length), "12 bytes follow the JSON, 16 should");
  EXPECT_EQ(error_of(head + bytes_of({1, 2, 3, 4, 5}), length), "20 bytes follow the JSON, 16 should");
  for (const char* wrong : {"-1", "1e3", "99999", "99999999999999999999999", " 5"})
    EXPECT_THAT(error_of(head, wrong), HasSubstr("is not the length of a part of the body")) << wrong;
  const std::string lies = request(1, {{"parameters", {{"binary_data_size", 12}}}}).dump();
  EXPECT_EQ(error_of(lies + bytes_of({1, 2, 3}), std::to_string(lies.size())),
            "binary_data_size must be 16 for this shape and datatype");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(error_of(head + bytes_of({1, 2, 3, nan}), length), "pixels must be finite numbers");
}

TEST(InferReply, JsonAndBytesHoldTheSameNumbers) {
  const std::vector<float> values{0.25f, -1.5e-7f, 3, 4};
  const ReplyTensor json{"scores", 2, values}, binary{"scores", 2, values, true};
  const InferReply text = infer_reply("m", "7", "a\"b", {&json, 1});
  const Json j = Json::parse(text.body);
  EXPECT_EQ(text.header_bytes, 0u);
  EXPECT_EQ(j["id"], "a\"b");
  EXPECT_EQ(j["outputs"][0]["shape"], Json({2, 2}));
  EXPECT_EQ(j["outputs"][0]["data"].get<std::vector<float>>(), values);
  const InferReply both = infer_reply("m", "7", "", {&binary, 1});
  const Json head = Json::parse(both.body.substr(0, both.header_bytes));
  EXPECT_EQ(head["outputs"][0]["parameters"]["binary_data_size"], 16);
  EXPECT_EQ(both.body.substr(both.header_bytes), bytes_of(values));
}

TEST(ErrorJson, IsJsonWhateverTheSentenceHolds) {
  EXPECT_EQ(Json::parse(error_json("a \"quoted\"\n\xFF byte"))["error"], "a \"quoted\"\n\xEF\xBF\xBD byte");
}

}  // namespace
}  // namespace nw::serve_http
