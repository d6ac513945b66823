// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/design/transform.hpp"
#include "tests/ui/settings/settings_panel_fixture.hpp"

namespace nw::ui {
namespace {

TEST_F(SettingsPanelTest, ThePreviewOfMixUpSaysThatItsMixturesAreClearer) {
  const auto said = [&] {
    for (const auto* label : panel->findChildren<SeverityLabel*>())
      if (!label->isHidden() && label->sentence().contains(QStringLiteral("clear mixture"))) return true;
    return false;
  };
  EXPECT_FALSE(said());
  TrainSettings mixed = settings();
  mixed.transforms = {default_transform(*find_transform("RandomRotation")),
                      default_transform(*find_transform("MixUp"))};
  session->push({PutSettings{mixed}}, QStringLiteral("mix"));
  EXPECT_TRUE(said());
  session->undoStack().undo();
  EXPECT_FALSE(said());
}

TEST_F(SettingsPanelTest, GroupsOfLayersHaveTheirFirstEpochAndRate) {
  const auto find = [&](const char* name) {
    for (const auto& [id, node] : session->doc().graph().nodes)
      if (node.name == name) return id;
    return NodeId{0};
  };
  const auto node = [&](const char* name) { return session->doc().graph().nodes.at(find(name)); };
  const auto stage = [&](const char* id) { return panel->findChild<NumberSpin*>(QLatin1String(id)); };
  EXPECT_NE(stage("stage.0.epoch"), nullptr);
  EXPECT_EQ(stage("stage.1.epoch"), nullptr) << "at first all layers are trained alike";
  Edit edit;
  for (const char* name : {"conv1", "conv2"}) {
    Node changed = node(name);
    changed.frozen_epochs = 4;
    changed.lr_scale = 0.25;
    edit.push_back(PutNode{"", find(name), changed});
  }
  session->push(edit, QStringLiteral("adapt"));
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  ASSERT_NE(stage("stage.1.epoch"), nullptr);
  EXPECT_EQ(stage("stage.0.epoch")->value(), 5);
  EXPECT_EQ(stage("stage.0.factor")->value(), 0.25);
  EXPECT_EQ(stage("stage.1.epoch")->value(), 1);
  stage("stage.0.factor")->setValue(0.5);
  EXPECT_EQ(node("conv1").lr_scale, 0.5);
  EXPECT_EQ(node("conv2").lr_scale, 0.5);
  EXPECT_EQ(node("fc1").lr_scale, 1);
  stage("stage.0.epoch")->setValue(0);
  EXPECT_TRUE(node("conv1").frozen && node("conv2").frozen);
  EXPECT_FALSE(stage("stage.0.factor")->isEnabled()) << "what is never trained has no rate";
  stage("stage.0.epoch")->setValue(3);
  EXPECT_FALSE(node("conv1").frozen);
  EXPECT_EQ(node("conv2").frozen_epochs, 2);
  stage("stage.0.epoch")->setValue(1);
  stage("stage.0.factor")->setValue(1);
  EXPECT_NE(stage("stage.1.epoch"), nullptr) << "a group does not merge while its numbers are changed";
  session->undoStack().undo();
  EXPECT_NE(node("conv1").lr_scale, 1);
}

TEST_F(SettingsPanelTest, TheScheduleIsDrawnForEachGroupOfLayers) {
  auto* preview = panel->findChild<SchedulePreview*>();
  ASSERT_NE(preview, nullptr);
  TrainSettings linear = settings();
  linear.epochs = 10;
  linear.schedule = ScheduleKind::polynomial;
  linear.learning_rate = 0.1;
  session->push({PutSettings{linear}}, QStringLiteral("schedule"));
  EXPECT_TRUE(preview->legend().isEmpty()) << "all layers have the schedule's rate";
  const int plain = preview->minimumHeight();
  Edit edit;
  for (const auto& [id, node] : session->doc().graph().nodes) {
    if (node.name != "conv1" && node.name != "conv2") continue;
    Node changed = node;
    changed.frozen_epochs = node.name == "conv1" ? 4 : 0;
    changed.lr_scale = node.name == "conv1" ? 0.5 : 2;
    edit.push_back(PutNode{"", id, changed});
  }
  session->push(edit, QStringLiteral("adapt"));
  ASSERT_EQ(preview->legend().size(), 3);
  EXPECT_EQ(preview->legend()[0], QStringLiteral("conv1: ×0.5 from epoch 5"));
  EXPECT_EQ(preview->legend()[2], QStringLiteral("conv2: ×2"));
  EXPECT_TRUE(preview->legend()[1].endsWith(QStringLiteral("…: ×1"))) << preview->legend()[1].toStdString();
  EXPECT_EQ(preview->rateAt(0.3, 0), 0) << "not trained yet";
  EXPECT_NEAR(preview->rateAt(0.5, 0), 0.025, 1e-3);
  EXPECT_NEAR(preview->rateAt(0.5, 1), 0.05, 1e-3);
  EXPECT_NEAR(preview->rateAt(0.5, 2), 0.1, 1e-3);
  EXPECT_NEAR(preview->rateAt(0.5, -1), 0.05, 1e-3);
  EXPECT_GT(preview->minimumHeight(), plain) << "the legend has its own lines";
  EXPECT_TRUE(preview->accessibleDescription().contains(QStringLiteral("conv2: ×2")));
  preview->resize(240, preview->sizeHint().height());
  EXPECT_FALSE(preview->grab().isNull());
}

TEST_F(SettingsPanelTest, TheLossHasWeightsAndAFocus) {
  const auto attrs = [&] {
    for (const auto& [id, node] : session->doc().graph().nodes)
      if (find_layer(node.type)->loss) return node.attrs;
    return AttrMap{};
  };
  auto* weights = qobject_cast<WeightsField*>(panel->control(QStringLiteral("class_weights")));
  ASSERT_NE(weights, nullptr);
  EXPECT_TRUE(panel->isShown("class_weights"));
  EXPECT_FALSE(panel->isShown("pos_weight"));
  spin("focal_gamma")->setValue(2);
  EXPECT_EQ(attrs().at("focal_gamma"), Attr(2.0));
  const auto type = [&](const char* text) {
    weights->box()->setEditText(QLatin1String(text));
    Q_EMIT weights->box()->lineEdit()->editingFinished();
  };
  type("balanced");
  EXPECT_EQ(attrs().at("class_weights"), Attr(std::string("balanced")));
  type("1, 2, x");
  EXPECT_EQ(attrs().at("class_weights"), Attr(std::string("balanced"))) << "what is refused is not taken";
  EXPECT_TRUE(weights->findChild<RefusalNote*>()->sentence().contains(QStringLiteral("x")));
  type("1, 2, 3, 4, 5, 6, 7, 8, 9, 10");
  EXPECT_TRUE(analyse(session->doc(), {}).ok());
  type("1, 2");
  EXPECT_FALSE(analyse(session->doc(), {}).ok()) << "ten scores have ten weights";
  session->undoStack().undo();
  EXPECT_EQ(weights->box()->currentText(), QStringLiteral("1, 2, 3, 4, 5, 6, 7, 8, 9, 10"));
  box("loss")->setCurrentText(QStringLiteral("BCEWithLogits"));
  EXPECT_TRUE(panel->isShown("pos_weight"));
  EXPECT_FALSE(panel->isShown("class_weights"));
}

/// Changes a control to another permitted value; false if it has only one.
bool move(QWidget* control) {
  if (auto* button = qobject_cast<QAbstractButton*>(control)) {
    button->toggle();
    return true;
  }
  if (auto* spin = qobject_cast<QDoubleSpinBox*>(control)) {
    const double before = spin->value();
    spin->stepUp();
    if (spin->value() == before) spin->stepDown();
    return spin->value() != before;
  }
  auto* box = qobject_cast<QComboBox*>(control);
  for (int i = 0; box != nullptr && i < box->count(); ++i)
    if (i != box->currentIndex() && static_cast<QStandardItemModel*>(box->model())->item(i)->isEnabled()) {
      box->setCurrentIndex(i);
      return true;
    }
  return false;
}

TEST_F(SettingsPanelTest, EveryRowChangesTheDocumentAndUndoBringsItBack) {
  for (const SettingRow& row : panel->rows()) {
    const TrainSettings before = settings();
    const int steps = session->undoStack().count();
    ASSERT_TRUE(move(panel->control(row.id))) << row.id.toStdString();
    EXPECT_NE(row.get(settings()), row.get(before)) << row.id.toStdString();
    EXPECT_EQ(session->undoStack().count(), steps + 1) << row.id.toStdString();
    session->undoStack().undo();
    EXPECT_EQ(settings(), before) << row.id.toStdString();
    if (auto* control = qobject_cast<NumberSpin*>(panel->control(row.id))) {
      EXPECT_DOUBLE_EQ(control->value(), row.get(before)) << row.id.toStdString();
    }
    // a later change then does not replace an undone command, so that counts stay comparable
    session->undoStack().push(new QUndoCommand);
  }
}

TEST_F(SettingsPanelTest, SpinningOneNumberIsOneStepOfUndo) {
  const double before = settings().learning_rate;
  for (int i = 0; i < 5; ++i) spin("learning_rate")->stepUp();
  EXPECT_GT(settings().learning_rate, before);
  EXPECT_EQ(session->undoStack().count(), 1);
  session->undoStack().undo();
  EXPECT_DOUBLE_EQ(settings().learning_rate, before);
}

TEST_F(SettingsPanelTest, RowsAreShownOnlyIfTheyApply) {
  box("optimizer")->setCurrentText(QStringLiteral("SGD"));
  EXPECT_TRUE(panel->isShown("momentum"));
  EXPECT_FALSE(panel->isShown("beta1"));
  EXPECT_FALSE(panel->isShown("weight_decay"));
  box("optimizer")->setCurrentText(QStringLiteral("AdamW"));
  EXPECT_FALSE(panel->isShown("momentum"));
  EXPECT_TRUE(panel->isShown("beta1"));
  EXPECT_TRUE(panel->isShown("weight_decay"));
  EXPECT_FALSE(panel->isShown("l2"));
  box("schedule")->setCurrentIndex(1);
  EXPECT_TRUE(panel->isShown("step_gamma"));
  EXPECT_FALSE(panel->isShown("min_learning_rate"));
  box("schedule")->setCurrentIndex(3);
  EXPECT_EQ(settings().schedule, ScheduleKind::one_cycle);
  EXPECT_TRUE(panel->isShown("pct_start"));
  EXPECT_FALSE(panel->isShown("min_learning_rate"));
  EXPECT_FALSE(panel->isShown("restart_epochs"));
  box("schedule")->setCurrentIndex(5);
  EXPECT_EQ(settings().schedule, ScheduleKind::cosine_restarts);
  EXPECT_TRUE(panel->isShown("restart_epochs"));
  EXPECT_TRUE(panel->isShown("min_learning_rate"));
  EXPECT_FALSE(panel->isShown("min_change"));
  spin("early_stopping_epochs")->setValue(3);
  EXPECT_TRUE(panel->isShown("min_change"));
}

TEST_F(SettingsPanelTest, AutomaticAndBf16CanBeChosenAndFp16AndTf32SayThatTheyNeedAGpu) {
  auto* model = static_cast<QStandardItemModel*>(box("precision")->model());
  ASSERT_EQ(model->rowCount(), 5);
  for (const int row : {0, 1, 2}) EXPECT_TRUE(model->item(row)->isEnabled());
  for (const int row : {3, 4}) EXPECT_FALSE(model->item(row)->isEnabled());
  for (const int row : {3, 4})
    EXPECT_TRUE(model->item(row)->data(Qt::ToolTipRole).toString().contains(QStringLiteral("GPU")));
  box("precision")->setCurrentText(QStringLiteral("automatic"));
  EXPECT_EQ(settings().precision, std::nullopt);
  box("precision")->setCurrentText(QStringLiteral("bf16"));
  EXPECT_EQ(settings().precision, DType::bf16);
  EXPECT_TRUE(analyse(session->doc(), {.device = cpu_backend().devices().front().get()}).ok());
  TrainSettings changed = settings();
  changed.devices = {"cuda:0"};
  session->push({PutSettings{changed}}, QStringLiteral("Choose devices"));
  for (const int row : {3, 4}) EXPECT_TRUE(model->item(row)->isEnabled());
  box("precision")->setCurrentText(QStringLiteral("tf32"));
  EXPECT_EQ(settings().precision, DType::tf32);
}

TEST_F(SettingsPanelTest, AnotherLossChangesTheTypeOfTheLossNodeAndNothingElse) {
  const auto type = [&]() -> std::string {
    for (const auto& [id, node] : session->doc().graph().nodes)
      if (node.type == "CrossEntropy" || node.type == "MSE") return node.type;
    return {};
  };
  const Graph before = session->doc().graph();
  ASSERT_EQ(type(), "CrossEntropy");
  EXPECT_TRUE(panel->isShown("label_smoothing"));
  box("loss")->setCurrentText(QStringLiteral("MSE"));
  EXPECT_EQ(type(), "MSE");
  EXPECT_FALSE(panel->isShown("label_smoothing"));
  EXPECT_EQ(session->doc().graph().connections, before.connections);
  session->undoStack().undo();
  EXPECT_EQ(session->doc().graph(), before);
  EXPECT_EQ(box("loss")->currentText(), QStringLiteral("CrossEntropy"));
}

TEST_F(SettingsPanelTest, TwoSharesOfTheProcessorCanBeChosenTogether) {
  QCheckBox* pair = panel->findChild<QCheckBox*>(QStringLiteral("device.cpu:0"));
  ASSERT_NE(pair, nullptr);
  pair->click();
  EXPECT_EQ(settings().devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
  pair->click();
  EXPECT_EQ(settings().devices, (std::vector<std::string>{"cpu"}));
}

TEST_F(SettingsPanelTest, TransformsAreAddedChangedMovedAndRemovedEachInOneStepOfUndo) {
  const auto press = [&](const char* id) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // deletes the previous rows
    auto* button = panel->findChild<QPushButton*>(QLatin1String(id));
    ASSERT_NE(button, nullptr) << id;
    button->click();
  };
  const QList<QAction*> choices = panel->findChild<QPushButton*>(QStringLiteral("addTransform"))->menu()->actions();
  ASSERT_EQ(choices.size(), static_cast<qsizetype>(all_transforms().size()));
  choices[1]->trigger();  // RandomRotation
  choices[3]->trigger();  // ColorJitter
  const std::vector<Transform> two = {default_transform(all_transforms()[1]), default_transform(all_transforms()[3])};
  EXPECT_EQ(settings().transforms, two);
  press("transform.1.up");
  EXPECT_EQ(settings().transforms, (std::vector<Transform>{two[1], two[0]}));
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  panel->findChild<NumberSpin*>(QStringLiteral("transform.1.degrees"))->setValue(40);
  EXPECT_EQ(settings().transforms[1].values, std::vector<double>{40});
  press("transform.0.remove");
  EXPECT_EQ(settings().transforms, (std::vector<Transform>{{"RandomRotation", {40}}}));
  EXPECT_EQ(session->undoStack().count(), 5);
  for (int i = 0; i < 3; ++i) session->undoStack().undo();
  EXPECT_EQ(settings().transforms, two);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  EXPECT_EQ(panel->findChild<NumberSpin*>(QStringLiteral("transform.0.degrees"))->value(), 15)
      << "the list does not follow undo";
}

}  // namespace
}  // namespace nw::ui
