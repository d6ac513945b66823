// SPDX-License-Identifier: Apache-2.0
// A report parsed as a browser would: images decode, the values are present, nothing is loaded from elsewhere, no
// script runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/design/project_file.hpp"
#include "engine/predict/inline_picture.hpp"
#include "engine/predict/label_issues.hpp"
#include "engine/predict/model_card.hpp"
#include "engine/predict/report.hpp"

namespace nw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string from_base64(std::string_view text) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(c));
    held += 6;
    if (held >= 8) out += static_cast<char>(bits >> (held -= 8) & 255);
  }
  return out;
}

/// The image decoded by the image module; empty if the module is not built.
std::vector<std::uint8_t> decoded(const std::string& png, std::int64_t channels) {
  const auto decoder = image_decoder();
  if (!decoder || !*decoder) return {};
  const auto image =
      (*decoder)->decode({reinterpret_cast<const std::uint8_t*>(png.data()), png.size()}, "picture", channels, 0, 0);
  EXPECT_TRUE(image) << image.error().str();
  return image ? image->hwc : std::vector<std::uint8_t>();
}

/// Three classes, six images of 2×2; the last two are misclassified. The third class has a name with HTML markup.
struct Case {
  Case() {
    set = std::make_shared<MemoryDataset>(3, 2, 2);
    run.name = "pets";
    run.classes = {"cat", "dog", "<script>alert(1)</script>"};
    for (int i = 0; i < 6; ++i) {
      for (int b = 0; b < 12; ++b) set->pixels_.push_back(static_cast<std::uint8_t>(20 * i + b));
      set->labels_.push_back(i % 3);
      set->origins_.push_back("file\"" + std::to_string(i) + ".png");
      const bool wrong = i >= 4;
      const int read = wrong ? 0 : i % 3;
      e.sample.push_back(i);
      e.label.push_back(i % 3);
      e.predicted.push_back(read);
      e.confidence.push_back(wrong ? 0.8f : 0.9f);
      e.loss_per_sample.push_back(wrong ? 2.0f + static_cast<float>(i) : 0.1f);
      for (int c = 0; c < 3; ++c) e.probability.push_back(c == read ? 0.8f : 0.1f);
    }
    e.classes = 3;
    e.samples = 6;
    e.accuracy = 4.0 / 6;
    e.loss = 1.23456;
    e.confusion = {2, 0, 0, 1, 1, 0, 1, 0, 1};
  }
  Result<std::string> page() const {
    return html_report({&run, "2026-pets", "step-00000010", "test", "Pets, 6 images", &e, set, epochs});
  }
  std::shared_ptr<MemoryDataset> set;
  RunDefinition run;
  Evaluation e;
  std::vector<EpochEnd> epochs;
};

/// The same with a network, epochs, and names that try to leave their element.
struct WholeCase : Case {
  WholeCase() {
    run.doc = find_template("lenet5")->make();
    run.channels = 1;
    run.height = run.width = 28;
    run.data_hash = 0xabcdef;
    run.split_hash = 0x123456;
    run.mean = {0.1307F};
    run.data_dir = "/data/\"><script>alert(2)</script>";
    DataChoice data = run.doc.data();
    data.path = "</td></table><iframe src=x onload=alert(3)>";
    std::vector<std::string> excluded;
    for (int i = 0; i < 500; ++i) excluded.push_back("train: " + std::to_string(i));
    exclude(data, excluded);
    EXPECT_TRUE(run.doc.apply({PutData{data}}));
    for (int i = 1; i <= 3; ++i) {
      EpochEnd end;
      end.epoch = i;
      end.has_validation = true;
      end.train_loss = 2.0 / i;
      end.train_accuracy = 0.3 * i;
      end.validation_loss = i == 3 ? 2.5 : 2.1 / i;
      end.validation_accuracy = i == 2 ? 0.8125 : 0.25;
      epochs.push_back(end);
    }
  }
};

std::vector<std::string> between(const std::string& page, const std::string& from, const std::string& to) {
  std::vector<std::string> all;
  for (std::size_t at = page.find(from); at != std::string::npos; at = page.find(from, at)) {
    at += from.size();
    all.push_back(page.substr(at, page.find(to, at) - at));
  }
  return all;
}

TEST(Report, HoldsTheFiguresAndTheMisclassifiedImages) {
  const Case c;
  const auto page = c.page();
  ASSERT_TRUE(page) << page.error().str();
  for (const char* expected : {"66.67 %", "1.2346", "2026-pets", "step-00000010", "Pets, 6 images"})
    EXPECT_THAT(*page, HasSubstr(expected));
  const auto pictures = between(*page, "src=\"data:image/png;base64,", "\"");
  ASSERT_EQ(pictures.size(), 2u);
  const std::vector<std::uint8_t> pixels = decoded(from_base64(pictures[0]), 3);
  if (!pixels.empty()) {
    EXPECT_EQ(pixels, (std::vector<std::uint8_t>(c.set->pixels_.begin() + 60, c.set->pixels_.end())))
        << "the larger loss comes first";
  }
  EXPECT_EQ(between(*page, "<figure><figcaption>", "</figcaption>").size(), 3u)
      << "ROC, precision and recall, calibration";
}

/// Each row is a true class: two of class 0 predicted as 0, one of class 1 predicted as 0, and so on.
TEST(Report, TheMatrixHasTrueClassesInItsRows) {
  const auto page = Case().page();
  ASSERT_TRUE(page);
  const std::string table = between(*page, "<table class=\"matrix\">", "</table>").at(0);
  std::vector<std::string> counts;
  for (const std::string& cell : between(table, "var(--heat),", "</td>"))
    counts.push_back(cell.substr(cell.find('>') + 1));
  EXPECT_THAT(counts, ElementsAre("2", "", "", "1", "1", "", "1", "", "1"));
}

TEST(Report, ShowsTheCurvesOfTheTrainingAndItsBestEpoch) {
  WholeCase c;
  const auto page = c.page();
  ASSERT_TRUE(page) << page.error().str();
  EXPECT_EQ(between(*page, "<figure><figcaption>", "</figcaption>").size(), 5u) << "loss and accuracy over the epochs";
  EXPECT_THAT(*page, HasSubstr("</span>: 2 (81.25 %)</p>"));
  c.epochs.resize(1);
  EXPECT_THAT(*c.page(), HasSubstr("</span>: 1 (25.00 %)</p>"));
}

TEST(Report, DrawsTheNetworkWithShapesAndParameters) {
  const auto page = WholeCase().page();
  ASSERT_TRUE(page);
  const auto drawing = between(*page, "<figure class=\"network\">", "</figure>");
  ASSERT_EQ(drawing.size(), 1u);
  const std::size_t nodes = WholeCase().run.doc.graph().nodes.size();
  EXPECT_EQ(between(drawing[0], "<rect class=\"box\"", "/>").size(), nodes);
  EXPECT_EQ(between(drawing[0], "<path class=\"edge\"", "/>").size(), WholeCase().run.doc.graph().connections.size());
  for (const char* expected : {">conv1</text>", ">Conv2d</text>", ">1×28×28</text>", ">156 <tspan lang=\"en\">"})
    EXPECT_THAT(drawing[0], HasSubstr(expected));
}

TEST(Report, DrawsConnectionsThatSkipLayersAndCountsTheLayersLeftOut) {
  WholeCase c;
  Edit edit;
  for (int i = 0; i < 200; ++i)
    edit.push_back(PutNode{"", 10'000 + i, Node{.type = "ReLU", .name = "extra" + std::to_string(i)}});
  edit.push_back(PutConnection{"", {10'000, 0, 10'001, 0}, true});
  edit.push_back(PutConnection{"", {10'000, 0, 10'002, 0}, true});
  ASSERT_TRUE(c.run.doc.apply(edit));
  const auto page = c.page();
  ASSERT_TRUE(page);
  EXPECT_EQ(between(*page, "l7 -4v8z", "/>").size(), 1u) << "one connection passes another box on the right";
  const std::size_t hidden = c.run.doc.graph().nodes.size() - 150;
  EXPECT_THAT(*page, HasSubstr("未绘出的层</span>: " + std::to_string(hidden)));
}

TEST(Report, NamesTheDataWithItsHashAndEverySetting) {
  const auto page = WholeCase().page();
  ASSERT_TRUE(page);
  for (const char* expected :
       {"0000000000abcdef", "0000000000123456", "learning_rate", "validation_fraction", ">500 <"})
    EXPECT_THAT(*page, HasSubstr(expected));
  EXPECT_THAT(*page, Not(HasSubstr("train: 499"))) << "long lists are counted";
  EXPECT_THAT(*page, Not(HasSubstr("read as")));
}

TEST(Report, LoadsNothingRunsNothingAndEscapesNames) {
  const auto page = WholeCase().page();
  ASSERT_TRUE(page);
  for (const char* way_out : {"http:", "https:", "<script", "<link", "@import", "url(", "<iframe"})
    EXPECT_THAT(*page, Not(HasSubstr(way_out)));
  EXPECT_THAT(*page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_THAT(*page, HasSubstr("alt=\"file&quot;5.png\""));
  for (const std::string& source : between(*page, "src=\"", "\""))
    EXPECT_THAT(source, testing::StartsWith("data:image/png;base64,"));
}

TEST(Report, IsCompleteInBothLanguages) {
  const auto page = WholeCase().page();
  ASSERT_TRUE(page);
  const auto english = between(*page, " lang=\"en\">", "<"), chinese = between(*page, " lang=\"zh\">", "<");
  ASSERT_EQ(english.size(), chinese.size() + 1) << "the page itself is in English";
  for (const std::string& word : chinese) EXPECT_FALSE(word.empty());
  EXPECT_THAT(chinese, testing::Contains("混淆矩阵"));
  EXPECT_THAT(english, testing::Contains("Confusion matrix"));
}

TEST(Report, EveryElementIsClosed) {
  const auto page = WholeCase().page();
  ASSERT_TRUE(page);
  for (const char* name : {"html", "body", "main", "div", "table", "tr", "td", "th", "figure", "figcaption", "svg",
                           "text", "tspan", "span", "h2", "p"}) {
    const std::size_t begins = between(*page, std::string("<") + name + ">", "").size() +
                               between(*page, std::string("<") + name + " ", "").size();
    EXPECT_EQ(begins, between(*page, std::string("</") + name + ">", "").size()) << name;
  }
}

TEST(Report, WithoutProbabilitiesThereAreFiguresButNoCurves) {
  Case c;
  c.e.probability.clear();
  const auto page = c.page();
  ASSERT_TRUE(page);
  EXPECT_THAT(*page, HasSubstr("66.67 %"));
  EXPECT_THAT(*page, Not(HasSubstr("<svg")));
}

TEST(Report, TheTableOfClassesIsCsv) {
  const Case c;
  const std::string csv = metrics_csv(metrics_of(c.e.label, c.e.probability, 3), {"cat", "a,b", "=x"});
  EXPECT_THAT(csv,
              testing::StartsWith(
                  "class,support,precision,recall,f1,roc_auc,average_precision\ncat,2,0.500000,1.000000,0.666667,"));
  EXPECT_THAT(csv, HasSubstr("\n\"a,b\",2,1.000000,0.500000,0.666667,"));
  EXPECT_THAT(csv, HasSubstr("\n'=x,2,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);
}

TEST(InlinePicture, IsAPngThatReadsBackPixelByPixel) {
  for (const std::int64_t channels : {1, 3}) {
    Image p{5, 7, channels, {}};
    for (std::int64_t i = 0; i < 5 * 7 * channels; ++i) p.hwc.push_back(static_cast<std::uint8_t>(i * 7 % 256));
    const std::string png = png_of(p);
    EXPECT_EQ(png.substr(1, 3), "PNG");
    const auto pixels = decoded(png, channels);
    if (pixels.empty()) GTEST_SKIP() << "the module that reads images is not built";
    EXPECT_EQ(pixels, p.hwc);
  }
}

TEST(InlinePicture, Base64IsThatOfTheStandard) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) EXPECT_EQ(predicting::base64(bytes), text);
  EXPECT_EQ(predicting::base64("\xff\xfe\xfd"), "//79");
}

TEST(Decisions, AreCountedAtEveryThreshold) {
  const OneVsRest o{{0.1f, 0.4f, 0.5f, 0.9f}, {false, true, false, true}};
  const auto all = decisions_of(o, 2);
  ASSERT_EQ(all.size(), 3u);
  const auto four = [](const Decisions& d) {
    return std::vector<std::int64_t>{d.right_yes, d.wrong_yes, d.wrong_no, d.right_no};
  };
  EXPECT_THAT(four(all[0]), ElementsAre(2, 2, 0, 0));
  EXPECT_THAT(four(all[1]), ElementsAre(1, 1, 1, 1)) << "at least the threshold: 0.5 counts";
  EXPECT_THAT(four(all[2]), ElementsAre(0, 0, 2, 2));
}

TEST(LabelIssuesTest, AreSortedByLossAndMisclassified) {
  Evaluation e;
  const struct {
    std::int64_t label, predicted;
    float confidence, loss;
  } rows[] = {{0, 0, 0.99f, 0.01f},
              {0, 1, 0.6f, 1.5f},
              {1, 0, 0.4f, 9.0f},
              {1, 2, 0.95f, 5.0f},
              {2, 0, 0.9f, std::numeric_limits<float>::quiet_NaN()}};
  for (int i = 0; i < 5; ++i) {
    e.sample.push_back(100 + i);
    e.label.push_back(rows[i].label);
    e.predicted.push_back(rows[i].predicted);
    e.confidence.push_back(rows[i].confidence);
    e.loss_per_sample.push_back(rows[i].loss);
  }
  const auto found = find_label_issues(e, 10, 0.5f);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].sample, 103);
  EXPECT_EQ(found[1].sample, 101);
  EXPECT_EQ(find_label_issues(e, 1).size(), 1u);
  EXPECT_EQ(find_label_issues(e, 10).front().sample, 102) << "less sure, larger loss";
}

TEST(ModelCard, HasTheNumbersOfTheEvaluation) {
  WholeCase c;
  c.run.parent = "2026-parent";
  const std::string card =
      model_card({&c.run, "2026-pets", "step-00000010", "test", "Pets, 6 images", &c.e, c.set, c.epochs});
  EXPECT_THAT(card, HasSubstr("# pets\n"));
  EXPECT_THAT(card, HasSubstr("| parameters | 61706 |"));
  EXPECT_THAT(card, HasSubstr("| accuracy | 66.67 % |"));
  EXPECT_THAT(card, HasSubstr("| loss | 1.2346 |"));
  EXPECT_THAT(card, HasSubstr("| best epoch, on the validation set | 2 (81.25 %) |"));
  EXPECT_THAT(card, HasSubstr("| hash of the data | 0000000000abcdef |"));
  EXPECT_THAT(card, HasSubstr("| cat | 2 | 0.500 | 1.000 | 0.667 |"));
  EXPECT_THAT(card, HasSubstr("| dog | 1 | 1 | 0 |")) << "rows are true classes";
  EXPECT_THAT(card, HasSubstr("| began with the weights of | 2026\\-parent |"));
}

TEST(ModelCard, NamesOfFilesStayText) {
  WholeCase c;
  c.run.name = "a\n# b";
  c.run.classes = {"![x](http://a)", "<img src=x>", "a|b"};
  const std::string card = model_card({&c.run, "r", "latest", "test", "d", &c.e, c.set, c.epochs});
  EXPECT_THAT(card, HasSubstr("# a \\# b\n"));
  EXPECT_THAT(card, HasSubstr("\\!\\[x\\]\\(http://a\\)"));
  EXPECT_THAT(card, HasSubstr("\\<img src=x\\>"));
  EXPECT_THAT(card, HasSubstr("a\\|b"));
  EXPECT_THAT(card, Not(HasSubstr(" <img")));
}

}  // namespace
}  // namespace nw
