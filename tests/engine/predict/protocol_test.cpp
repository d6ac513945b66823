// SPDX-License-Identifier: Apache-2.0
// The table of the helper's operations: helper and client use it, docs/protocol.md is generated from it, and every
// request gets a response, also when its operation fails.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <set>

#include "engine/core/files.hpp"
#include "engine/predict/operations.hpp"
#include "engine/predict/protocol_version.hpp"
#include "engine/predict/run_requests.hpp"
#include "tests/engine/predict/helper_link.hpp"
#include "tests/engine/predict/trained.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/paths.hpp"

#ifdef NW_SANITIZED
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

namespace nw {
namespace {

using predicting::Operation;
using predicting::Operations;
using protocol::message_of;
using testing::HasSubstr;

const fs::path page_file = fs::path(test::tests_folder()).parent_path() / "docs/protocol.md";

protocol::DataSelection digits() { return {trained().request.definition.doc.data()}; }
/// For operations that compare each with all others.
protocol::DataSelection few_digits() {
  DataChoice data = trained().request.definition.doc.data();
  data.synthetic_train = 300;
  data.synthetic_test = 40;
  return {data};
}
protocol::Weights weights() { return {trained().request.run.string(), "latest"}; }

TEST(Protocol, PageIsWrittenFromTheTable) {
  if (std::getenv("NETWRIGHT_WRITE_PROTOCOL")) std::ofstream(page_file) << protocol_page();
  const auto text = read_file(page_file, std::uint64_t{1} << 20);
  ASSERT_TRUE(text) << "docs/protocol.md is missing";
  EXPECT_EQ(*text, protocol_page())
      << "write it: NETWRIGHT_WRITE_PROTOCOL=1 build/release/bin/predict_test --gtest_filter=Protocol.Page*";
}

TEST(Protocol, NamesEachOperationOnce) {
  std::set<std::string> names;
  for (const Operation& o : Operations::table()) {
    EXPECT_TRUE(names.insert(o.name).second) << o.name;
    for (const protocol::FieldRow& f : o.request) EXPECT_FALSE(f.what.empty()) << o.name << "." << f.name;
  }
  EXPECT_GE(names.size(), 25u);
}

TEST(Protocol, ARequestReadsBackAsItWasWritten) {
  const protocol::ImagesRequest written{digits(), {{5, false}, {7, true}}, 16};
  const auto read = protocol::request_from<protocol::ImagesRequest>(message_of(written));
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(read->source.data, written.source.data);
  ASSERT_EQ(read->samples.size(), 2u);
  EXPECT_EQ(read->samples[1].index, 7);
  EXPECT_TRUE(read->samples[1].test_set);
  EXPECT_EQ(read->size, 16);
  Json without = message_of(protocol::EvaluateRequest{weights(), "train"});
  without.erase("split");
  EXPECT_EQ(protocol::request_from<protocol::EvaluateRequest>(without)->split, "test") << "the default";
}

template <class Request>
std::string refusal(Json message) {
  const auto read = protocol::request_from<Request>(message);
  EXPECT_FALSE(read) << message.dump();
  return read ? "" : read.error().str();
}

TEST(Protocol, RejectsInvalidFieldValues) {
  using Thumbnails = protocol::ThumbnailsRequest;
  const Json right = message_of(Thumbnails{{"/run"}, "test", {1, 2}, 8});
  const auto with = [&](const char* field, const Json& value) {
    Json wrong = right;
    wrong[field] = value;
    return refusal<Thumbnails>(wrong);
  };
  EXPECT_THAT(with("size", 0), HasSubstr("\"size\" of the request is not an integer from 1 to 1024"));
  EXPECT_THAT(with("size", 8.5), HasSubstr("\"size\""));
  EXPECT_THAT(with("size", "8"), HasSubstr("\"size\""));
  EXPECT_THAT(with("size", std::uint64_t{1} << 63), HasSubstr("\"size\""));
  EXPECT_THAT(with("split", "moon"), HasSubstr("possible are train, validation, test"));
  EXPECT_THAT(with("run", 5), HasSubstr("\"run\" of the request is not text"));
  EXPECT_THAT(with("samples", Json::array({1, "two"})), HasSubstr("\"samples\""));
  EXPECT_THAT(with("samples", std::vector<int>(4097, 1)), HasSubstr("at most 4096"));
  EXPECT_THAT(with("sise", 8), HasSubstr("a field \"sise\""));
  Json less = right;
  less.erase("run");
  EXPECT_THAT(refusal<Thumbnails>(less), HasSubstr("The request has no \"run\""));
}

/// One request of every operation, valid for the trained digits.
std::vector<Json> every_request() {
  const fs::path image = trained().folder.path / "image.pgm";
  test::write_bytes(image, "P5\n2 2\n255\nabcd");
  test::write_bytes(trained().folder.path / "photos/cat/1.pgm", "P5\n2 2\n255\nabcd");
  Json predict = message_of(protocol::PredictRequest{weights(), 1, 1, 1});
  return {
      message_of(protocol::OpenDataRequest{digits()}),
      message_of(protocol::SurveyRequest{(trained().folder.path / "photos").string()}),
      message_of(protocol::SamplesRequest{digits(), "train", 0, 2, 8}),
      message_of(protocol::AugmentedRequest{digits(), {}, 1, 8}),
      message_of(protocol::CheckRequest{few_digits()}),
      message_of(protocol::ImagesRequest{digits(), {{1, false}}, 8}),
      message_of(protocol::LabelsRequest{digits(), "test"}),
      message_of(protocol::OrderByNameRequest{digits(), "test"}),
      message_of(protocol::TonesRequest{digits(), "test", 0}),
      message_of(protocol::EvaluateRequest{weights(), "test"}),
      message_of(protocol::LossesRequest{digits(), "test"}),
      message_of(protocol::OpenRunRequest{weights()}),
      message_of(protocol::ThumbnailsRequest{weights(), "test", {0}, 8}),
      message_of(protocol::SampleRequest{weights(), "test", "pool2", 0}),
      predict,
      message_of(protocol::PredictFileRequest{weights(), image.string()}),
      message_of(protocol::DecodeRequest{image.string(), 8}),
      message_of(protocol::ActivationRequest{weights(), "test", "pool2", 0}),
      message_of(protocol::FiltersRequest{weights(), "conv1"}),
      message_of(protocol::ExplainRequest{weights(), "test", "saliency", "", 0, -1}),
      message_of(protocol::CurvesRequest{weights(), "test", 0}),
      message_of(protocol::ReportRequest{weights(), "test", "csv"}),
      message_of(protocol::SuspectsRequest{weights(), "test", 3}),
      message_of(protocol::NeighboursRequest{weights(), "test", 0, 2}),
      message_of(protocol::MapRequest{weights(), "test", "plane", 20}),
      message_of(protocol::OutputsRequest{ProjectFile::json(trained().request.definition.doc), {"conv1"}, 0, "", ""})};
}

TEST(Protocol, EveryAnswerHasTheFieldsOfTheTable) {
  Operations operations;
  std::set<std::string> asked;
  for (const Json& request : every_request()) {
    const std::string name = request["do"];
    asked.insert(name);
    const auto answer = operations.answer({request, {0}}, [](double) { return true; });
    if (!answer && answer.error().str().find("module") != std::string::npos)
      continue;  // the image decoder module is not built
    ASSERT_TRUE(answer) << name << ": " << answer.error().str();
    const auto& rows = Operations::table();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Operation& o) { return name == o.name; });
    std::set<std::string> known;
    const Json arrays = answer->json.value("arrays", Json::object());
    for (const auto& field : row->answer) {
      const bool array = field.array != ArrayType::none;
      if (!array || arrays.contains(field.name)) known.insert(field.name);
      if (array && arrays.contains(field.name)) {
        EXPECT_TRUE(array_bytes(*answer, field.name, field.array, {})) << name << "." << field.name;
      }
      if (field.presence == predicting::Presence::always) {
        EXPECT_TRUE((array ? arrays : answer->json).contains(field.name)) << name << "." << field.name;
      }
    }
    for (const Json* part : std::initializer_list<const Json*>{&answer->json, &arrays})
      for (const auto& [key, value] : part->items())
        EXPECT_TRUE(key == "arrays" || known.contains(key)) << "the table of " << name << " lacks \"" << key << "\"";
    EXPECT_EQ(answer->payload.empty(), *row->payload == '\0' && arrays.empty()) << name;
  }
  EXPECT_EQ(asked.size(), Operations::table().size()) << "an operation has no example here";
}

TEST(Protocol, TheWindowWritesNoRequestByHand) {
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(test::tests_folder()).parent_path() / "ui"))
    if (entry.is_regular_file()) {
      const auto text = read_file(entry.path(), std::uint64_t{1} << 24);
      ASSERT_TRUE(text);
      EXPECT_EQ(text->find("\"do\""), std::string::npos) << entry.path();
    }
}

TEST(Protocol, TheOpeningNamesTheVersion) {
  test::HelperThread helper;
  const Json answer = helper.ask(protocol::opening_message()).json;
  EXPECT_TRUE(answer.value("ok", false)) << answer.dump();
  EXPECT_EQ(answer.value("protocol", Json()), Json(protocol::spoken_version));
  EXPECT_THAT(protocol_page(),
              HasSubstr(fmt::format("\"protocol\": {}}}`, the version of this page", protocol::spoken_version)));
  EXPECT_TRUE(helper.ask(message_of(protocol::OpenDataRequest{digits()})).json.value("ok", false));
}

TEST(Protocol, AWindowOfAnotherVersionIsRefusedWithBothVersions) {
  for (const Json& other : {Json(7), Json(0), Json(-1), Json(std::uint64_t{1} << 63), Json("1"), Json()}) {
    test::HelperThread helper;
    Json opening = protocol::opening_message();
    opening["protocol"] = other;
    const std::string sentence = helper.ask(opening).json.value("error", "");
    EXPECT_THAT(sentence, HasSubstr("version")) << other;
    if (other.is_number_integer()) {
      EXPECT_THAT(sentence, HasSubstr("speaks version " + other.dump() + " "));
      EXPECT_THAT(sentence, HasSubstr(fmt::format("version {}: save your work", protocol::spoken_version)));
    }
    EXPECT_EQ(helper.ask(message_of(protocol::OpenDataRequest{digits()})).json.value("error", ""), sentence)
        << "every later request";
  }
}

TEST(Protocol, AWindowOfVersion0IsServedWithoutAnOpening) {
  test::HelperThread helper;
  EXPECT_TRUE(helper.ask(message_of(protocol::OpenDataRequest{digits()})).json.value("ok", false));
}

/// A perceptron over 1×2 images of `classes` classes with two images each.
Trial& many_classes(int classes) {
  static Folder place;
  std::string table = "label,a,b\n";
  for (int i = 0; i < 2 * classes; ++i) table += fmt::format("{},{},{}\n", i % classes, i % 256, i / 256 % 256);
  test::write_bytes(place.path / "table.csv", table);
  static Trial trial([&](TrainSettings& s, DataChoice& d) {
    d.kind = SourceKind::csv;
    d.path = (place.path / "table.csv").string();
    d.height = 1;
    d.width = 2;
    s.batch = 512;
    s.epochs = 1;
    d.stratified = false;
  });
  GraphDoc& doc = trial.request.definition.doc;
  std::map<std::string, NodeId> ids;
  for (const auto& [id, node] : doc.graph().nodes) ids[node.type == "Input" ? "input" : node.name] = id;
  EXPECT_TRUE(doc.apply(set_attr(doc, "", ids["input"], "height", std::int64_t{1})));
  EXPECT_TRUE(doc.apply(set_attr(doc, "", ids["input"], "width", std::int64_t{2})));
  EXPECT_TRUE(doc.apply(set_attr(doc, "", ids["fc3"], "out_features", std::int64_t{classes})));
  return trial;
}

TEST(Protocol, TheConfusionOfThreeThousandClassesIsAnswered) {
  Trial& trial = many_classes(3000);
  const auto result = trial.run();
  ASSERT_TRUE(result) << result.error().str();
  test::HelperThread helper;
  const protocol::Weights own{trial.request.run.string(), "latest"};
  const Message answer = helper.ask(message_of(protocol::EvaluateRequest{own, "test"}));
  ASSERT_TRUE(answer.json.value("ok", false)) << answer.json.dump().substr(0, 200);
  const auto confusion = array_in<std::int32_t>(answer, "confusion", 9000000);
  ASSERT_TRUE(confusion);
  EXPECT_EQ(std::accumulate(confusion->begin(), confusion->end(), std::int64_t{0}), answer.json["samples"]);
  EXPECT_LT(answer.json.dump().size(), std::size_t{1} << 20) << "what is not in arrays";
}

TEST(Protocol, AnAnswerThatIsTooLargeIsAnsweredWithASentence) {
  Folder place;  // 4000 classes, whose names together take more than a message's JSON may
  std::string table = "label,a,b\n";
  for (int i = 0; i < 4000; ++i) table += fmt::format("{}{},{},{}\n", std::string(5000, 'n'), i, i % 256, i / 256);
  test::write_bytes(place.path / "table.csv", table);
  DataChoice choice;
  choice.kind = SourceKind::csv;
  choice.path = (place.path / "table.csv").string();
  choice.height = 1;
  choice.width = 2;
  test::HelperThread helper;
  const Json answer = helper.ask(message_of(protocol::OpenDataRequest{{choice, {}}})).json;
  EXPECT_THAT(answer.value("error", ""), HasSubstr("too large to send")) << answer.dump().substr(0, 200);
  EXPECT_EQ(answer.value("code", 0), static_cast<int>(Errc::bad_input));
  EXPECT_TRUE(helper.ask(message_of(protocol::OpenDataRequest{digits()})).json.value("ok", false)) << "it goes on";
  EXPECT_THAT(
      helper.ask(message_of(protocol::SamplesRequest{digits(), "train", 0, 4096, 1024})).json.value("error", ""),
      HasSubstr("4096 thumbnails of 1024×1024"));
}

TEST(Protocol, AnOperationThatFindsNoMemoryIsAnsweredWithASentence) {
  if (sanitized) GTEST_SKIP() << "sanitizers take the whole address space";
  test::HelperWithLittleMemory helper(std::size_t{256} << 20);
  protocol::DataSelection many = digits();
  many.data.synthetic_train = 1000;
  const Json answer = helper.ask(message_of(protocol::SamplesRequest{many, "train", 0, 900, 512})).json;
  EXPECT_EQ(answer.value("code", 0), static_cast<int>(Errc::out_of_memory)) << answer.dump().substr(0, 200);
  EXPECT_THAT(answer.value("error", ""), HasSubstr("not enough memory"));
  EXPECT_TRUE(helper.ask(message_of(protocol::SamplesRequest{many, "train", 0, 2, 8})).json.value("ok", false));
}

}  // namespace
}  // namespace nw
