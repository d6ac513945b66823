// SPDX-License-Identifier: GPL-3.0-or-later
// Networks and weights that come in, in the whole window: opaque nodes, adaptation of imported projects, and what of a
// file of weights is taken, before it is.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

#include "engine/design/project_file.hpp"
#include "engine/design/start_from.hpp"
#include "engine/exchange/export_onnx.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/engine/exchange/tiny_model.hpp"
#include "tests/support/canvas_positions.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/page/page.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/top_bar.hpp"

namespace nw::ui {
namespace {

class NetworkIn : public Journey {
 protected:
  QString said() { return window().banner().text(); }
  bool says(const char* part) {
    return test::wait_for([&] { return window().banner().isVisible() && said().contains(QLatin1String(part)); }, 60000);
  }
  QString place(const char* name) { return folder.filePath(QLatin1String(name)); }
  /// A convolution, an operator of another program that keeps the sizes, and a classifier of images of 28x28 pixels.
  QString foreignFile() {
    exchange::TinyModel t({-1, 1, 28, 28});
    const std::string v = t.node("Conv", {"x", t.weight("conv.weight", {1, 1, 3, 3}), t.weight("conv.bias", {1})},
                                 {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
    const std::string made = t.node("Swirl", {v}, {}, "odd");
    t.model.nodes.back().domain = "com.example";
    t.model.values.push_back({.name = made, .type = onnx::Type::f32, .dims = onnx::Dims{-1, 1, 28, 28}, .symbols = {}});
    t.classify(t.node("Flatten", {t.node("Relu", {made})}), 784);
    EXPECT_TRUE(onnx::write_model(t.model, place("odd.onnx").toStdString()));
    return place("odd.onnx");
  }
  /// LeNet-5 with its initial weights, of another program.
  QString ordinaryFile() {
    exchange::ExportSource source{.name = "lenet", .doc = find_template("lenet5")->make()};
    const auto flat = flatten(source.doc, {.training = false, .batch = 1});
    EXPECT_TRUE(flat);
    source.weights = *exchange::initial_weights(*flat, 1);
    auto model = exchange::export_onnx(source, {});
    EXPECT_TRUE(model);
    model->producer = "another program";
    model->metadata.clear();
    EXPECT_TRUE(onnx::write_model(*model, place("lenet.onnx").toStdString()));
    return place("lenet.onnx");
  }
  void import(const QString& file, const char* project) {
    hand.answerFile(place(project), [&] { window().files().openPath(file); });
    ASSERT_TRUE(says("was imported")) << said().toStdString();
    analysed();
  }
  /// Grey images with a bar whose height the table gives; three classes.
  QString table() {
    QDir().mkpath(place("bars"));
    QFile csv(place("bars/bars.csv"));
    EXPECT_TRUE(csv.open(QIODevice::WriteOnly));
    csv.write("file,kind,height\n");
    for (int i = 0; i < 40; ++i) {
      const int top = i * 7 % 20;
      QFile file(place("bars") + QStringLiteral("/%1.pgm").arg(i));
      EXPECT_TRUE(file.open(QIODevice::WriteOnly));
      file.write("P5\n28 28\n255\n");
      for (int y = 0; y < 28; ++y) file.write(QByteArray(28, static_cast<char>(y >= top && y < top + 8 ? 200 : 30)));
      csv.write(QStringLiteral("%1.pgm,%2,%3\n").arg(i).arg(i % 3).arg(top / 20.0).toLatin1());
    }
    return place("bars/bars.csv");
  }
  /// Answers the file dialog that `open` opens with the table, then acts in the dialog about its columns.
  template <class Open, class Act>
  void withTable(const QString& file, Open open, Act act) {
    bool done = false;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
      auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      if (!dialog || dialog->objectName() != QLatin1String("tableTargetsDialog")) return;
      timer.stop();
      act(*dialog);
      done = true;
    });
    timer.start(20);
    hand.answerFile(file, open);
    EXPECT_TRUE(test::wait_for([&] { return done; })) << "the columns were not asked for";
  }
  void check(QListWidget& list, const char* column) {
    for (int i = 0; i < list.count(); ++i) {
      const QListWidgetItem* item = list.item(i);
      if (!item->text().startsWith(QLatin1String(column))) continue;
      const QRect row = list.visualItemRect(item);
      hand.click(list.viewport(), row.topLeft() + QPoint(12, row.height() / 2));
    }
  }
  const NodeItem& card(const char* name) { return *scene().elements().node(find(name)); }
  test::Variable data{"XDG_DATA_HOME", fs::path(folder.path().toStdString()) / "data"};
};

TEST_F(NetworkIn, AForeignOperatorStandsHatchedOnTheCanvasUntilItIsRemoved) {
  openSmallProject(1, 300);
  import(foreignFile(), "odd.netwright");
  EXPECT_TRUE(said().contains(QStringLiteral("opaque nodes"))) << said().toStdString();
  const NodeText& look = card("swirl1").look();
  EXPECT_TRUE(look.opaque);
  EXPECT_EQ(look.title, QStringLiteral("Swirl"));
  EXPECT_TRUE(look.settings.startsWith(QStringLiteral("com.example")));
  EXPECT_TRUE(look.problem.contains(QStringLiteral("belongs to com.example"))) << look.problem.toStdString();
  EXPECT_TRUE(card("swirl1").spoken(1, 2).contains(QStringLiteral("not computed")));

  hand.click(button(QStringLiteral("Show the problems"), &window().banner()));
  EXPECT_EQ(scene().selection().current(), find("swirl1"));
  hand.click(child<QWidget>(QStringLiteral("trainButton")), {60, 18});
  EXPECT_EQ(run().state(), RunController::State::idle) << "it is not trained";
  const std::size_t layers = graph().nodes.size();
  hand.click(view().viewport(), fixPosition(view(), find("swirl1")));
  EXPECT_EQ(graph().nodes.size(), layers - 1);
  analysed();
  const auto& left = session().analysis().problems;
  EXPECT_TRUE(std::ranges::all_of(left, [](const Problem& p) { return p.of_data; })) << "no image folder is chosen";
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(graph().nodes.size(), layers);
  EXPECT_TRUE(session().save(place("again.netwright")));
  const auto again = ProjectFile::load(place("again.netwright").toStdString());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->graph(), graph()) << "the file keeps it";
}

TEST_F(NetworkIn, AnImportedNetworkIsAdaptedToATableOfNumbersInTheWindow) {
  openSmallProject(1, 300);
  import(ordinaryFile(), "lenet.netwright");
  const QString csv = table();
  withTable(
      csv, [&] { hand.click(button(QStringLiteral("Adapt to a table…"), &window().banner())); },
      [&](QDialog& dialog) {
        auto* columns = dialog.findChild<QListWidget*>();
        EXPECT_EQ(columns->count(), 2) << "the column of paths is no target";  // no return: the dialog must be closed
        hand.choose(dialog.findChild<QComboBox*>(), QStringLiteral("Numbers"));
        check(*columns, "height");
        check(*columns, "kind");  // was chosen, because it is the first
        hand.click(button(QStringLiteral("Adapt"), &dialog));
      });
  ASSERT_TRUE(test::wait_for([&] { return session().path().endsWith(QLatin1String("bars.netwright")); }, 60'000))
      << said().toStdString();
  analysed();
  EXPECT_EQ(session().doc().data().target, "values");
  EXPECT_EQ(session().doc().data().target_column, "height");
  EXPECT_EQ(graph().nodes.at(find("loss1")).type, "MSE");
  const auto from = start_from(session().doc());
  ASSERT_TRUE(from);
  EXPECT_EQ(from->weights, "bars.safetensors");
  ASSERT_TRUE(test::wait_for([&] { return !session().dataOpening() && session().analysisCurrent(); }));
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0 || feed().ended(); }));
  EXPECT_NE(feed().status(), RunStatus::failed);
}

TEST_F(NetworkIn, AProjectWithoutWeightsSaysWhatIsMissingAndOffersAFile) {
  openSmallProject(1, 300);
  action(QStringLiteral("adapt-images"))->trigger();
  ASSERT_TRUE(says("begins with no trained weights")) << said().toStdString();
  EXPECT_NE(button(QStringLiteral("Start from weights…"), &window().banner()), nullptr);
}

TEST_F(NetworkIn, TheWeightsOfAFileAreShownBeforeAnyIsTaken) {
  // LeNet-5 with another last layer, and a weight that LeNet-5 does not have.
  GraphDoc other = find_template("lenet5")->make();
  for (const auto& [id, node] : other.graph().nodes)
    if (node.name == "fc3") ASSERT_TRUE(other.apply(set_attr(other, "", id, "out_features", std::int64_t{26})));
  const auto flat = flatten(other, {.training = false, .batch = 1});
  ASSERT_TRUE(flat);
  exchange::Weights weights = *exchange::initial_weights(*flat, 1);
  exchange::WeightNames names = exchange::names_of(*flat);
  weights["extra\n<b>bold</b>.weight"] = {{2}, {1, 2}};
  names.weights.emplace_back("extra\n<b>bold</b>.weight");
  const QString file = place("letters.safetensors");
  ASSERT_TRUE(exchange::save_weights(weights, names, file.toStdString()));

  openSmallProject(1, 300);
  ASSERT_TRUE(test::wait_for([&] { return session().analysisCurrent() && session().dataFacts().train > 0; }));
  const auto dialog = [&] { return window().findChild<QDialog*>(QStringLiteral("weightMatchDialog")); };
  const auto choose = [&] {
    hand.answerFile(file, [&] { action(QStringLiteral("start-weights"))->trigger(); });
    ASSERT_TRUE(test::wait_for([&] { return dialog() && dialog()->isVisible(); })) << said().toStdString();
  };
  choose();
  const QString summary = dialog()->findChild<QLabel*>(QStringLiteral("weightSummary"))->text();
  EXPECT_TRUE(summary.contains(QStringLiteral("8 of the network's 10 weights"))) << summary.toStdString();
  EXPECT_TRUE(summary.contains(QStringLiteral("2 begin anew"))) << summary.toStdString();
  EXPECT_TRUE(summary.contains(QStringLiteral("1 of the file"))) << summary.toStdString();
  auto* table = dialog()->findChild<QTableView*>(QStringLiteral("weightMatches"));
  EXPECT_EQ(table->model()->rowCount(), 11);
  hand.choose(dialog()->findChild<QComboBox*>(QStringLiteral("weightFilter")), QStringLiteral("Begin anew"));
  ASSERT_EQ(table->model()->rowCount(), 2);
  EXPECT_EQ(table->model()->index(0, 1).data().toString(), QStringLiteral("10×84"));
  EXPECT_EQ(table->model()->index(0, 2).data().toString(), QStringLiteral("26×84"));
  hand.choose(dialog()->findChild<QComboBox*>(QStringLiteral("weightFilter")), QStringLiteral("Only in the file"));
  EXPECT_EQ(table->model()->index(0, 0).data().toString(), QStringLiteral("extra?<b>bold</b>.weight"));
  hand.click(button(QStringLiteral("Cancel"), dialog()));
  EXPECT_TRUE(start_from(session().doc())->weights.empty()) << "nothing is taken";
  ASSERT_TRUE(test::wait_for([&] { return !dialog(); }));

  choose();
  hand.click(button(QStringLiteral("Start from these weights"), dialog()));
  EXPECT_EQ(start_from(session().doc())->weights, "letters.safetensors") << "beside the project";
  ASSERT_TRUE(says("Training begins with 8 weights")) << said().toStdString();
  EXPECT_TRUE(session().isModified());
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(start_from(session().doc())->weights.empty()) << "one step of undo";
  EXPECT_FALSE(session().isModified());
  hand.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(start_from(session().doc())->weights, "letters.safetensors");
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0 || feed().ended(); }));
  EXPECT_NE(feed().status(), RunStatus::failed);
}

}  // namespace
}  // namespace nw::ui
