// SPDX-License-Identifier: Apache-2.0
// netwright-cli adapt from everything that has weights, to every kind of target; each is trained and measured.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <functional>

#include "engine/design/start_from.hpp"
#include "tests/app/cli_fixture.hpp"
#include "tests/engine/exchange/tiny_model.hpp"

namespace nw {
namespace {

using testing::HasSubstr;
using testing::Pointwise;

class AdaptSources : public Cli {
 protected:
  AdaptSources() { ::setenv("NETWRIGHT_PYTHON", "/nonexistent", 1); }
  ~AdaptSources() override { ::unsetenv("NETWRIGHT_PYTHON"); }

  std::string trained() {
    EXPECT_EQ(run({"train", project(), "--run-dir", at("run"), "--quiet"}).code, 0);
    return at("run");
  }
  /// Grey images of 28x28 pixels; `pixel`: of image i at row y and column x, from 0 to 255. `cells`: the end of its
  /// line.
  std::string table(const std::string& heading, int count, const std::function<int(int, int, int)>& pixel,
                    const std::function<std::string(int)>& cells) {
    fs::create_directories(at("photos"));
    std::ofstream csv(at("photos/table.csv"));
    csv << "\xEF\xBB\xBF" << heading << "\r\n";
    for (int i = 0; i < count; ++i) {
      std::ofstream file(at(fmt::format("photos/image {}.pgm", i)), std::ios::binary);
      file << "P5\n28 28\n255\n";
      for (int y = 0; y < 28; ++y)
        for (int x = 0; x < 28; ++x) file.put(static_cast<char>(pixel(i, y, x) + (i * 7 + y * 3 + x) % 20));
      csv << fmt::format("\"image {}.pgm\",{}\r\n", i, cells(i));
    }
    return at("photos/table.csv");
  }
  /// Adapts the run to the table and trains; the metrics of the test set.
  Json measured(const std::string& table, const std::vector<std::string>& more) {
    std::vector<std::string> words{"adapt", trained(), "--data", table, "-o", at("own.netwright"), "--epochs", "30"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandOutput out = run(words);
    EXPECT_EQ(out.code, 0) << out.err;
    const CommandOutput train = run({"train", at("own.netwright"), "--run-dir", at("own"), "--quiet"});
    EXPECT_EQ(train.code, 0) << train.err;
    const CommandOutput result = run({"evaluate", at("own"), "--json"});
    EXPECT_EQ(result.code, 0) << result.err;
    return result.code == 0 ? Json::parse(result.out) : Json::object();
  }
  const Node& named(const GraphDoc& doc, const std::string& name) {
    for (const auto& [id, node] : doc.graph().nodes)
      if (node.name == name) return node;
    ADD_FAILURE() << name;
    return doc.graph().nodes.begin()->second;
  }
  GraphDoc own() { return *ProjectFile::load(at("own.netwright")); }
  /// A convolution and an operator of another program.
  std::string foreign_file() {
    exchange::TinyModel t({-1, 1, 28, 28});
    const std::string v = t.node("Conv", {"x", t.weight("conv.weight", {1, 1, 3, 3}), t.weight("conv.bias", {1})},
                                 {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
    const std::string made = t.node("Swirl", {v}, {}, "odd\x1b[31m");
    t.model.nodes.back().domain = "com.\x1b[2Jexample";
    t.classify(t.node("Flatten", {made}), 784);
    EXPECT_TRUE(onnx::write_model(t.model, at("odd.onnx")));
    return at("odd.onnx");
  }
};

TEST_F(AdaptSources, ABinaryTargetIsLearnedWithOneOutput) {
  const auto upper = [](int i) { return i * 5 % 3 == 0; };
  const std::string csv = table(
      "file,class", 150, [&](int i, int y, int) { return 60 + i * 13 % 30 + (upper(i) == (y < 14) ? 90 : 0); },
      [&](int i) { return upper(i) ? "upper" : "lower"; });
  const Json result = measured(csv, {"--target", "binary"});
  EXPECT_EQ(named(own(), "fc3").attrs.at("out_features"), Attr(std::int64_t{1}));
  EXPECT_EQ(named(own(), "loss").type, "BCEWithLogits");
  EXPECT_GT(result.value("accuracy", 0.0), 0.9) << "always the larger class: 0.67: " << result.dump();
}

TEST_F(AdaptSources, SeveralLabelsAreLearnedWithAnOutputForEach) {
  const auto top = [](int i) { return i * 7 % 5 < 2; };
  const auto left = [](int i) { return i * 11 % 7 < 3; };
  const std::string csv = table(
      "file,top,left", 200,
      [&](int i, int y, int x) { return 40 + (top(i) && y < 14 ? 90 : 0) + (left(i) && x < 14 ? 90 : 0); },
      [&](int i) { return fmt::format("{},{}", top(i) ? 1 : 0, left(i) ? 1 : 0); });
  const Json result = measured(csv, {"--target", "labels", "--target-column", "top,left"});
  EXPECT_EQ(named(own(), "fc3").attrs.at("out_features"), Attr(std::int64_t{2}));
  EXPECT_EQ(named(own(), "loss").type, "BCEWithLogits");
  EXPECT_GT(result.value("accuracy", 0.0), 0.8) << "both labels right by chance: 0.34 at most: " << result.dump();
}

TEST_F(AdaptSources, NumbersAreLearnedBetterThanTheirMean) {
  const auto level = [](int i) { return i * 37 % 101; };
  const auto slope = [](int i) { return i * 17 % 23; };
  const std::string csv = table(
      "file,level,slope", 200, [&](int i, int, int x) { return level(i) + slope(i) * x / 6; },
      [&](int i) { return fmt::format("{:.3f},{:.3f}", level(i) / 100.0, slope(i) / 22.0); });
  const Json result = measured(csv, {"--target", "values", "--target-column", "level,slope"});
  EXPECT_EQ(named(own(), "fc3").attrs.at("out_features"), Attr(std::int64_t{2}));
  EXPECT_EQ(named(own(), "loss").type, "MSE");
  EXPECT_EQ(result.value("metric", ""), "r2");
  for (const Json& target : result.at("values"))
    EXPECT_GT(target.value("r2", -1.0), 0.5) << "the mean of the targets: 0: " << result.dump();
}

TEST_F(AdaptSources, TablesThatDoNotGiveTheTargetAreRefused) {
  const std::string csv = table(
      "file,class,level", 30, [](int i, int, int) { return i; },
      [](int i) { return fmt::format("{},{}", i % 3, i == 20 ? "nan" : "1.5"); });
  trained();
  const auto adapt = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"adapt", at("run"), "--data", csv, "-o", at("own.netwright")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  CommandOutput out = adapt({"--target", "binary", "--target-column", "class"});
  EXPECT_EQ(out.code, 3);
  EXPECT_THAT(out.err, HasSubstr("the data have 3"));
  out = adapt({"--target", "values", "--target-column", "level"});
  EXPECT_EQ(out.code, 3);
  EXPECT_THAT(out.err, HasSubstr("line 22"));
  out = adapt({"--target", "labels", "--target-column", "class,level"});
  EXPECT_EQ(out.code, 3);
  out = adapt({"--target", "values", "--target-column", "height"});
  EXPECT_EQ(out.code, 3);
  EXPECT_THAT(out.err, HasSubstr("\"height\""));
  EXPECT_EQ(adapt({"--target", "colour"}).code, 2);
  EXPECT_FALSE(fs::exists(at("own.netwright")));
  EXPECT_FALSE(fs::exists(at("own.safetensors")));
}

TEST_F(AdaptSources, AnOnnxFileAnImportedProjectAndATemplateWithWeightsAreAdapted) {
  const std::string run_dir = trained();
  ASSERT_EQ(
      run({"export", run_dir, "--onnx", at("n.onnx"), "--safetensors", at("w.safetensors"), "--images", "4"}).code, 0);
  ASSERT_EQ(run({"import", at("n.onnx"), "-o", at("p.netwright")}).code, 0);
  const std::string csv = table(
      "file,class", 120, [](int i, int y, int) { return y / 10 == i % 3 ? 180 : 50; },
      [](int i) { return std::to_string(i % 3); });
  const auto before = read_run_definition(run_dir);
  ASSERT_TRUE(before);
  const std::vector<std::vector<std::string>> sources{
      {at("n.onnx")}, {at("p.netwright")}, {"--template", "mlp", "--weights", at("w.safetensors")}};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    SCOPED_TRACE(sources[i].front());
    std::vector<std::string> words{"adapt", "--data", csv, "-o", at("own.netwright"), "--force", "--json"};
    words.insert(words.begin() + 1, sources[i].begin(), sources[i].end());
    const CommandOutput out = run(words);
    ASSERT_EQ(out.code, 0) << out.err;
    const auto from = start_from(own());
    ASSERT_TRUE(from);
    EXPECT_EQ(from->weights, "own.safetensors");
    EXPECT_EQ(from->fresh, std::vector<std::string>{"fc3"});
    EXPECT_EQ(named(own(), "fc3").attrs.at("out_features"), Attr(std::int64_t{3}));
    const std::vector<float> mean = own().data().mean;
    if (i == 0) EXPECT_THAT(mean, Pointwise(testing::FloatNear(1e-5F), before->mean)) << "the file's own preprocessing";
    const std::string trial = at(fmt::format("r{}", i));
    const CommandOutput train = run({"train", at("own.netwright"), "--run-dir", trial, "--quiet", "--epochs", "20"});
    ASSERT_EQ(train.code, 0) << train.err;
    EXPECT_EQ(train.err.find("begin anew"), std::string::npos) << train.err;
    EXPECT_GT(Json::parse(run({"evaluate", trial, "--json"}).out).value("accuracy", 0.0), 0.6);
  }
}

TEST_F(AdaptSources, WrongUseHasItsCode) {
  trained();
  const std::string csv = table(
      "file,class", 9, [](int i, int, int) { return i; }, [](int i) { return std::to_string(i % 3); });
  const auto code = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--data", csv, "-o", at("own.netwright")});
    words.insert(words.begin(), "adapt");
    return run(words).code;
  };
  EXPECT_EQ(code({}), 2) << "nothing to adapt";
  EXPECT_EQ(code({at("run"), "--template", "mlp"}), 2) << "two things";
  EXPECT_EQ(code({"--template", "mlp"}), 2) << "a template has no weights";
  EXPECT_EQ(code({"--template", "nonesuch", "--weights", at("w")}), 2);
  EXPECT_EQ(code({"--template", "mlp", "--weights", at("missing.safetensors")}), 3);
  EXPECT_EQ(code({at("run"), "--weights", at("w.safetensors")}), 2) << "a run has its own";
  EXPECT_EQ(code({at("small.netwright")}), 2) << "the project begins with no weights";
  ASSERT_EQ(run({"export", "convnet-tiny", "--safetensors", at("other.safetensors")}).code, 0);
  EXPECT_EQ(code({at("small.netwright"), "--weights", at("other.safetensors")}), 3) << "no weight fits";
  std::ofstream(at("model.pt"), std::ios::binary) << "PK\x03\x04 and a pickle";
  EXPECT_EQ(code({at("model.pt")}), 3);
  EXPECT_EQ(code({foreign_file()}), 3) << "an opaque node";
  ASSERT_EQ(run({"export", "mlp", "--onnx", at("n.onnx"), "--images", "1"}).code, 0);
  ASSERT_EQ(run({"import", at("n.onnx"), "-o", at("p.netwright")}).code, 0);
  ASSERT_EQ(run({"export", at("run"), "--safetensors", at("w.safetensors")}).code, 0);
  fs::copy_file(at("w.safetensors"), at("p.safetensors"), fs::copy_options::overwrite_existing);
  EXPECT_EQ(code({at("p.netwright")}), 3) << "the weights are not those of the project";
  EXPECT_FALSE(fs::exists(at("own.netwright")));
}

TEST_F(AdaptSources, AFileWithForeignOperatorsIsImportedWithOpaqueNodesThatDoNotTrain) {
  const std::string file = foreign_file();
  const CommandOutput strict = run({"import", file, "-o", at("p.netwright"), "--strict"});
  EXPECT_EQ(strict.code, 3);
  EXPECT_FALSE(fs::exists(at("p.netwright")));
  const CommandOutput in = run({"import", file, "-o", at("p.netwright"), "--json"});
  ASSERT_EQ(in.code, 0) << in.err;
  const Json answer = Json::parse(in.out);
  EXPECT_EQ(answer.at("opaque").at(0).at("operator"), "Swirl");
  EXPECT_EQ(answer.at("opaque").at(0).at("count"), 1);
  const CommandOutput text = run({"import", file, "-o", at("p.netwright"), "--force"});
  EXPECT_THAT(text.err, HasSubstr("1 operators stand on the canvas as opaque nodes"));
  EXPECT_EQ((text.out + text.err + strict.err).find('\x1b'), std::string::npos) << "nothing commands the terminal";

  const std::string images = table(
      "file,class", 30, [](int i, int, int) { return i; }, [](int i) { return std::to_string(i % 4); });
  const CommandOutput check = run({"check", at("p.netwright")});
  EXPECT_EQ(check.code, 3);
  EXPECT_THAT(check.out + check.err, HasSubstr("The operator Swirl is not computed here"));
  const auto refused = [&](const std::vector<std::string>& words, const char* why) {
    const CommandOutput out = run(words);
    EXPECT_EQ(out.code, 3) << words.front();
    EXPECT_THAT(out.err, HasSubstr(why));
    EXPECT_EQ(out.err.find('\x1b'), std::string::npos);
  };
  refused({"train", at("p.netwright"), "--data", images, "--run-dir", at("r"), "--quiet"},
          "The operator Swirl is not computed here");
  for (const char* kind : {"--onnx", "--safetensors"})
    refused({"export", at("p.netwright"), kind, at("out.onnx")}, "The imported file gave no sizes of its output");
  EXPECT_FALSE(fs::exists(at("out.onnx")));
  ASSERT_EQ(run({"check", at("p.netwright"), "--fix", "-o", at("fixed.netwright")}).code, 0)
      << "the first repair removes the node";
  EXPECT_EQ(run({"check", at("fixed.netwright")}).code, 0);
}

}  // namespace
}  // namespace nw
