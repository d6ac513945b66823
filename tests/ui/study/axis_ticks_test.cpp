// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of a study's axes: they stand where their number is, and the number is a round one.
#include "ui/study/axis_ticks.hpp"

#include <gtest/gtest.h>

#include <QStringList>

namespace nw::ui {
namespace {

using search::Parameter;

/// A study of one parameter, with the axis of it and one of the objective.
struct Axes : testing::Test {
  StudySnapshot study;
  StudyAxis axis{.parameter = 0};
  StudyAxis objective{.low = 0.9595, .high = 0.9908};
  Axes() { study.definition.objectives = {{.metric = "accuracy", .maximize = true}}; }

  void searched(Parameter p) {
    axis.low = p.low, axis.high = p.high, axis.log = p.log;
    if (p.kind == Parameter::Kind::choice) axis.low = 0, axis.high = static_cast<double>(p.values.size()) - 1;
    study.definition.space.parameters = {std::move(p)};
  }
  QStringList texts(const StudyAxis& of, double least) {
    QStringList out;
    for (const AxisTick& t : axisTicks(study, of, least)) out += t.text;
    return out;
  }
};

TEST_F(Axes, AnObjectiveHasRoundNumbersWhereTheyAre) {
  EXPECT_EQ(texts(objective, 0.25).join(u' '), QStringLiteral("96.00 % 97.00 % 98.00 % 99.00 %"));
  EXPECT_EQ(texts(objective, 0.5).join(u' '), QStringLiteral("96.00 % 98.00 %"));
  for (const AxisTick& t : axisTicks(study, objective, 0.25))
    EXPECT_NEAR(100 * objective.value(t.place), t.text.section(u' ', 0, 0).toDouble(), 1e-9) << t.text.toStdString();
}

TEST_F(Axes, AParameterOfFewNumbersHasThose) {
  searched({.kind = Parameter::Kind::integer, .low = 4, .high = 16, .step = 2});
  EXPECT_EQ(texts(axis, 0.1).join(u' '), QStringLiteral("4 6 8 10 12 14 16"));
  EXPECT_EQ(texts(axis, 0.2).join(u' '), QStringLiteral("4 8 12 16"));
  EXPECT_NEAR(axisTicks(study, axis, 0.2)[1].place, 1.0 / 3, 1e-12);
  searched({.low = 0.1, .high = 0.5, .step = 0.2});
  EXPECT_EQ(texts(axis, 0.1).join(u' '), QStringLiteral("0.1 0.3 0.5"));
}

TEST_F(Axes, AParameterOfManyNumbersHasTheEndsOfItsRange) {
  searched({.kind = Parameter::Kind::integer, .low = 1, .high = 300, .step = 1});
  EXPECT_EQ(texts(axis, 0.3).join(u' '), QStringLiteral("1 100 200 300"));
  searched({.low = 0.05, .high = 0.4});
  EXPECT_EQ(texts(axis, 0.2).join(u' '), QStringLiteral("0.05 0.2 0.3 0.4"));
  for (const AxisTick& t : axisTicks(study, axis, 0.2)) EXPECT_NEAR(axis.value(t.place), t.text.toDouble(), 1e-9);
}

TEST_F(Axes, ALogarithmicParameterHasDecades) {
  searched({.low = 1e-4, .high = 0.3, .log = true});
  EXPECT_EQ(texts(axis, 0.13).join(u' '), QStringLiteral("1e-4 0.001 0.01 0.1 0.3"));
  EXPECT_EQ(texts(axis, 0.2).join(u' '), QStringLiteral("1e-4 0.001 0.01 0.3")) << "0.1 is too near to the end";
}

TEST_F(Axes, AChoiceHasItsValuesAsFarAsThereIsRoom) {
  searched({.kind = Parameter::Kind::choice, .values = {32, 64, 128, 256, 512}});
  EXPECT_EQ(texts(axis, 0.25).join(u' '), QStringLiteral("32 64 128 256 512"));
  EXPECT_EQ(texts(axis, 0.3).join(u' '), QStringLiteral("32 128 512"));
  searched({.kind = Parameter::Kind::choice, .values = {"adam"}});
  ASSERT_EQ(texts(axis, 0.3), QStringList{QStringLiteral("adam")});
  EXPECT_EQ(axisTicks(study, axis, 0.3)[0].place, 0.5);
}

TEST_F(Axes, ARangeOfOneNumberHasOneLabel) {
  searched({.low = 0.5, .high = 0.5});
  EXPECT_EQ(texts(axis, 0.2), QStringList{QStringLiteral("0.5")});
}

}  // namespace
}  // namespace nw::ui
