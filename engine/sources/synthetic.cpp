// SPDX-License-Identifier: Apache-2.0
// The source "synthetic". engine/data/sources/synthetic.cpp and synthetic_shapes.cpp generate its samples.
#include "engine/data/dataset.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

Result<OpenedData> make_synthetic_set(const DataChoice& c) {
  if (c.synthetic_set == "shapes") return make_shapes(c.synthetic_train, c.synthetic_test, target_kind(c));
  if (c.synthetic_set == "two_moons") return make_two_moons(c.synthetic_train, c.synthetic_test);
  if (c.synthetic_set == "noise") return make_noise(c.channels, c.height, c.width, c.synthetic_train, c.synthetic_test);
  if (c.synthetic_set == "digits") return make_synthetic(c.synthetic_train, c.synthetic_test);
  return fail(Errc::bad_input, NW_TR("There is no synthetic set {0}"), c.synthetic_set.substr(0, 80));
}

Result<SourceReading> read(const DataChoice& c, const fs::path&) {
  return SourceReading{{}, false, [c] { return make_synthetic_set(c); }};
}

Text describe(const DataChoice& c) {
  return c.synthetic_set == "shapes"      ? text(NW_TR("Synthetic shapes"))
         : c.synthetic_set == "two_moons" ? text(NW_TR("Two moons"))
         : c.synthetic_set == "noise"     ? text(NW_TR("Noise"))
                                          : text(NW_TR("Synthetic digits"));
}

DataFacts usual(const DataChoice& c) {
  DataFacts f{.channels = 1, .height = 28, .width = 28, .classes = c.target == "odd" ? 2 : 10};
  if (c.synthetic_set == "shapes")
    f = {.channels = 3, .height = 32, .width = 32, .classes = 3, .targets = target_kind(c)};
  if (c.synthetic_set == "noise") f = {.channels = c.channels, .height = c.height, .width = c.width, .classes = 10};
  if (c.synthetic_set == "two_moons") f = {.channels = 1, .height = 1, .width = 2, .classes = 2};
  f.train = 45000, f.validation = 5000, f.test = 10000;
  return f;
}

constexpr SourceOption::Word sets[] = {
    {"digits", NW_TR("Digits")}, {"shapes", NW_TR("Shapes")}, {"two_moons", NW_TR("Two moons")}};
constexpr SourceOption options[] = {
    {.id = "synthetic_set",
     .label = NW_TR("What is drawn"),
     .help = NW_TR("Digits of 28×28; circles, squares and triangles in colour of 32×32, also to learn labels or place "
                   "and size; or points of two moons, two numbers each, for a perceptron."),
     .kind = SourceOption::Kind::choice,
     .text = &DataChoice::synthetic_set,
     .words = sets},
    {.id = "synthetic_train",
     .label = NW_TR("Training"),
     .help = NW_TR("Images drawn for training and validation."),
     .kind = SourceOption::Kind::number,
     .number = &DataChoice::synthetic_train,
     .lo = 10,
     .hi = 1000000,
     .step = 1000,
     .unit = NW_TR("images")},
    {.id = "synthetic_test",
     .label = NW_TR("Test"),
     .help = NW_TR("Images drawn for the test."),
     .kind = SourceOption::Kind::number,
     .number = &DataChoice::synthetic_test,
     .lo = 10,
     .hi = 1000000,
     .step = 1000,
     .unit = NW_TR("images")}};

}  // namespace

extern const DataSource synthetic_source{.kind = SourceKind::synthetic,
                                         .title = NW_TR("Synthetic"),
                                         .order = 30,
                                         .options = options,
                                         .built_in = true,
                                         .classes_only = false,
                                         .read = read,
                                         .describe = describe,
                                         .usual = usual};

}  // namespace nw
