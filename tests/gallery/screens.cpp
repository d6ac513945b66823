// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/screens.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTimer>

#include "engine/compile/adapt.hpp"
#include "engine/design/block_edits.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/rewire.hpp"
#include "tests/gallery/branch_screens.hpp"
#include "tests/gallery/change_screens.hpp"
#include "tests/gallery/component_sheet.hpp"
#include "tests/gallery/data_samples.hpp"
#include "tests/gallery/data_screens.hpp"
#include "tests/gallery/deploy_screens.hpp"
#include "tests/gallery/network_in_screens.hpp"
#include "tests/gallery/picture_screens.hpp"
#include "tests/gallery/predict_screens.hpp"
#include "tests/gallery/preferences_screens.hpp"
#include "tests/gallery/queue_screens.hpp"
#include "tests/gallery/run_screens.hpp"
#include "tests/gallery/scaling_screens.hpp"
#include "tests/gallery/study_screens.hpp"
#include "tests/gallery/submit_screens.hpp"
#include "tests/gallery/view_screens.hpp"
#include "ui/canvas/commands/commands.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/data/data_views.hpp"
#include "ui/design/design_page.hpp"
#include "ui/design/tabbed_panel.hpp"
#include "ui/design/text_pane.hpp"
#include "ui/page/page.hpp"
#include "ui/session/fit_estimator.hpp"
#include "ui/settings/augment_preview.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/help/about.hpp"
#include "ui/shell/help/coach_mark.hpp"
#include "ui/shell/help/help.hpp"
#include "ui/shell/welcome/welcome_page.hpp"
#include "ui/shell/window/command_palette.hpp"
#include "ui/shell/window/device_chips.hpp"
#include "ui/shell/window/device_panel.hpp"
#include "ui/shell/window/guide.hpp"

namespace nw::ui {
namespace {

template <class W>
QWidget* dialog(Stage& stage, W* made) {
  stage.extra.reset(made);
  made->setVisible(true);
  return made;
}

QWidget* welcome(Stage& s) { return s.show(QStringLiteral("welcome")); }
bool welcomeReady(Stage& s) { return static_cast<WelcomePage*>(s.window->page(QStringLiteral("welcome")))->loaded(); }

DesignPage& designPage(Stage& s) { return *static_cast<DesignPage*>(s.window->page(QStringLiteral("design"))); }
void choose(Stage& s, const char* name) {
  for (const auto& [id, node] : designPage(s).canvas().scene().graph().nodes)
    if (node.name == name) designPage(s).canvas().scene().selection().setCurrent(id);
}

QWidget* emptyDesign(Stage& s) { return s.show(QStringLiteral("design")); }
QWidget* wholeNetwork(Stage& s) {
  s.open("lenet5");
  return s.show(QStringLiteral("design"));
}
QWidget* design(Stage& s) {
  QWidget* shown = wholeNetwork(s);
  choose(s, "conv2");
  return shown;
}
/// LeNet-5 whose Flatten is missing: a node in red with its quick fix.
QWidget* broken(Stage& s) {
  s.open("lenet5");
  for (const auto& [id, node] : s.work.session.doc().graph().nodes)
    if (node.type == "Flatten") {
      s.work.session.push(remove_nodes(s.work.session.doc(), "", {id}, true),
                          QCoreApplication::translate("canvas", "Delete"));
      break;
    }
  QWidget* shown = s.show(QStringLiteral("design"));
  choose(s, "conv2");
  return shown;
}
QWidget* residual(Stage& s) {
  s.open("resnet18-cifar");
  QWidget* shown = s.show(QStringLiteral("design"));
  choose(s, "layer2.0");
  return shown;
}
/// ResNet-18 adapted to other classes: never trained up to layer1, the rest later than the new last layer.
QWidget* adapted(Stage& s) {
  s.open("resnet18-cifar");
  const GraphDoc& doc = s.work.session.doc();
  const AdaptSource source{.doc = doc, .channels = 3, .height = 32, .width = 32};
  const DataFacts facts{.channels = 3, .height = 32, .width = 32, .classes = 5, .train = 480};
  if (auto made = adapt(source, doc.data(), facts, {.frozen_up_to = "layer1"}))
    s.work.session.replace(std::move(made->doc), {}, QStringLiteral("meadow"));
  QWidget* shown = s.show(QStringLiteral("design"));
  choose(s, "layer3.0");
  return shown;
}
/// LeNet-5 with its first stage grouped into a block, and a connection routed over two dots.
QWidget* grouped(Stage& s) {
  QWidget* shown = wholeNetwork(s);
  GraphView& view = designPage(s).canvas().view();
  GraphScene& scene = view.graph();
  std::vector<NodeId> stage;
  for (const auto& [id, node] : scene.graph().nodes)
    if (node.name == "conv1" || node.name == "relu1" || node.name == "pool1") stage.push_back(id);
  NodeId made = 0;
  const auto grouped = group_nodes(scene.doc(), "", stage, "Stage", &made);
  if (grouped) scene.session().push(*grouped, QCoreApplication::translate("canvas", "Make a block"));
  for (const Connection& c : std::vector<Connection>(scene.graph().connections))
    if (c.from == made) {
      NodeId dot = 0;
      const Point at = scene.graph().nodes.at(made).position;
      scene.session().push(add_dot(scene.doc(), "", c, {at.x + 190, at.y + 90}, &dot),
                           QCoreApplication::translate("canvas", "Add bend point"));
    }
  scene.selection().setCurrent(made);
  return shown;
}
/// The network beside its text form, with a line that cannot be parsed.
QWidget* asText(Stage& s) {
  QWidget* shown = design(s);
  shown->findChild<TabbedPanel*>(QStringLiteral("problemsPanel"))->showPage(3);
  TextPane& pane = *shown->findChild<TextPane*>();
  QTextCursor at = pane.editor().document()->find(QStringLiteral("relu1"));
  at.movePosition(QTextCursor::EndOfBlock);
  at.insertText(QStringLiteral(" slope=0.1 quick"));
  pane.takeOver();
  return shown;
}
/// ResNet-50 without blocks, zoomed out so far that nodes are drawn as plain rectangles from the cached picture.
QWidget* designFar(Stage& s) {
  s.open("resnet50");
  QWidget* shown = s.show(QStringLiteral("design"));
  GraphScene& scene = designPage(s).canvas().scene();
  for (int i = 0; i < 16; ++i)
    for (const auto& [id, node] : std::map<NodeId, Node>(scene.graph().nodes))
      if (node.type == "Block")
        if (const auto apart = ungroup_node(scene.doc(), "", id))
          scene.session().push(*apart, QStringLiteral("Take apart"));
  designPage(s).canvas().view().camera().fitAll();
  return shown;
}
QWidget* block(Stage& s) {
  s.open("resnet18-cifar");
  QWidget* shown = s.show(QStringLiteral("design"));
  designPage(s).canvas().scene().setScope("BasicBlock");
  return shown;
}
/// Data that is missing on this machine is a valid state: the page reports it.
bool hasNoData(Stage& s) { return dataOpener(s.work.session).state() == DataOpener::State::failed; }
bool drawn(Stage& s) {
  for (auto* estimator : s.window->findChildren<FitEstimator*>()) estimator->setOn(false);  // begins after some time
  return analysed(s) && (hasNoData(s) || s.work.session.doc().graph().nodes.empty() ||
                         !designPage(s).canvas().scene().display().sample().isNull());
}

QWidget* dataPanel(Stage& s) {
  s.open("lenet5");
  return dialog(s, makeDataPanel(s.work.session));
}
QWidget* dataOf(Stage& s, const DataChoice& choice) {
  s.open("lenet5");
  s.work.session.push({PutData{choice}}, QStringLiteral("Choose data"));
  return dialog(s, makeDataPanel(s.work.session));
}
QWidget* syntheticData(Stage& s) { return dataOf(s, {}); }
QWidget* cifarData(Stage& s) { return dataOf(s, {.kind = SourceKind::cifar}); }
QWidget* idxData(Stage& s) { return dataOf(s, idxChoice()); }
QWidget* folderData(Stage& s) { return dataOf(s, folderChoice()); }
QWidget* csvData(Stage& s) { return dataOf(s, csvChoice()); }
QWidget* malformedData(Stage& s) { return dataOf(s, malformedChoice()); }
bool sampled(Stage& s) {
  const auto* preview = s.extra->findChild<SamplePreview*>();
  return analysed(s) && (hasNoData(s) || (preview != nullptr && preview->loaded() > 0));
}
QWidget* settingsPanel(Stage& s) {
  s.open("resnet18-cifar");
  TrainSettings settings = s.work.session.doc().settings();
  for (const char* name : {"RandomRotation", "ColorJitter"})
    settings.transforms.push_back(default_transform(*find_transform(name)));
  s.work.session.push({PutSettings{settings}}, QStringLiteral("Add transforms"));
  return dialog(s, makeSettingsPanel(s.work.session));
}
bool transformed(Stage& s) {
  const auto* preview = s.extra->findChild<AugmentPreview*>();
  return analysed(s) && preview && preview->answered();
}
/// Three edits, the last one undone.
QWidget* history(Stage& s) {
  QWidget* shown = design(s);
  GraphView& view = designPage(s).canvas().view();
  for (const char* command : {"bypass", "duplicate", "collapse"}) runCommand(view, command);
  s.work.session.undoStack().undo();
  action(QStringLiteral("show-history"))->trigger();
  return shown;
}
/// The third step of the guide.
QWidget* guide(Stage& s) {
  QWidget* shown = s.show(QStringLiteral("welcome"));
  action(QStringLiteral("guide"))->trigger();
  return shown;
}
QWidget* guideSetting(Stage& s) {
  QWidget* shown = guide(s);
  for (int i = 0; i < 2; ++i) s.window->guide().mark()->onward().click();
  return shown;
}
/// It opens once the window has its size: another size closes it.
bool paletteShown(Stage& s) {
  if (!drawn(s)) return false;
  const auto* palette = s.window->findChild<CommandPalette*>();
  if (!palette->isVisible()) action(QStringLiteral("command-palette"))->trigger();
  return palette->isVisible();
}
QWidget* devices(Stage& s) {
  QWidget* shown = wholeNetwork(s);
  auto* made = new DevicePanel(nullptr);
  s.extra.reset(made);
  made->openBelow(*shown->findChild<DeviceChips*>());
  return made;
}
bool devicesSearched(Stage& s) { return !static_cast<DevicePanel*>(s.extra.get())->parts().empty(); }
QWidget* help(Stage& s) { return dialog(s, new HelpDialog); }
QWidget* about(Stage& s) { return dialog(s, new AboutDialog); }
QWidget* components(Stage& s) { return dialog(s, makeComponentSheet()); }
bool always(Stage&) { return true; }

constexpr QSize whole = wholeWindow, panel(328, 1000);

}  // namespace

bool analysed(Stage& s) {
  return s.work.session.analysisCurrent() && dataOpener(s.work.session).state() != DataOpener::State::opening;
}

const std::vector<Screen>& screens() {
  static const std::vector<Screen> table = {
      {"welcome", whole, welcome, welcomeReady},
      {"design", whole, design, drawn},
      {"design-network", whole, wholeNetwork, drawn},
      {"design-empty", whole, emptyDesign, analysed},
      {"design-error", whole, broken, drawn},
      {"design-resnet18", whole, residual, drawn},
      {"design-block", whole, block, drawn},
      {"design-adapted", whole, adapted, drawn},
      {"design-opaque", whole, designOpaque, drawn},
      {"design-my-blocks", whole, designMyBlocks, drawn},
      {"design-grouped", whole, grouped, drawn},
      {"design-text", whole, asText, drawn},
      {"design-more-devices", whole, moreDevices, devicesPlanned},
      {"design-far", whole, designFar, drawn},
      {"design-fit", whole, designFit, fitKnown},
      {"design-outputs", whole, designOutputs, outputsShown},
      {"design-heat", whole, designHeatmap, drawn},
      {"design-gradients", whole, designGradients, gradientsShown},
      {"design-repair", whole, designRepair, repairShown},
      {"design-searched", whole, designSearched, drawn},
      {"design-merged", whole, designMerged, mergeListed},
      {"merge-dialog", {600, 260}, mergeDialog, always},
      {"compare", {820, 560}, compareScreen, always},
      {"train", whole, trainFinished, charted},
      {"train-watched", whole, trainWatched, watched},
      {"train-running", whole, trainRunning, charted},
      {"train-paused", whole, trainPaused, charted},
      {"train-waiting", whole, trainWaiting, charted},
      {"train-interrupted", whole, trainInterrupted, charted},
      {"train-layers", whole, trainLayers, layersShown},
      {"train-four-gpus", whole, trainFourGpus, charted},
      {"train-ranks", whole, trainRanks, ranksShown},
      {"train-knobs", whole, trainKnobs, knobsWait},
      {"train-empty", whole, trainEmpty, analysed},
      {"predict", whole, predict, predicted},
      {"predict-export", {360, 260}, predictExport, predicted},
      {"predict-mixup", whole, predict, confusedPairs},
      {"predict-explained", whole, predict, explained},
      {"predict-feature-maps", whole, predict, mapsShown},
      {"predict-filters", whole, predict, filtersShown},
      {"predict-empty", whole, predictEmpty, analysed},
      {"predict-metrics", whole, predictMetrics, metricsShown},
      {"predict-labels", whole, predictLabels, predicted},
      {"predict-labels-metrics", whole, predictLabelMetrics, labelsMeasured},
      {"predict-numbers", whole, predictNumbers, predicted},
      {"predict-numbers-metrics", whole, predictNumberMetrics, numbersShown},
      {"predict-suspects", whole, predictLabelIssues, labelIssuesShown},
      {"predict-playground", whole, predictPlayground, playgroundShown},
      {"predict-map", whole, predictMap, mapShown},
      {"predict-map-tsne", whole, predictMap, neighborsShown},
      {"predict-similar", whole, predict, similarShown},
      {"runs", whole, runs, listed},
      {"runs-empty", whole, runsEmpty, analysed},
      {"runs-tree", whole, runsTree, treeShown},
      {"runs-groups", whole, runsGroups, groupsShown},
      {"runs-pinned", whole, runsPinned, pinnedShown},
      {"branch", {860, 620}, branchDialog, branchPlanned},
      {"doctor", {520, 620}, doctorPanel, doctorSaid},
      {"study", whole, studyRunning, studyShown},
      {"study-front", whole, studyFront, studyShown},
      {"study-contour", whole, studyContour, studyShown},
      {"studies", whole, studyList, studiesListed},
      {"deploy-export", whole, deployExport, exportsProved},
      {"deploy-compress", whole, deployCompress, compressed},
      {"deploy-compress-small", QSize(1024, 700), deployCompress, compressed},
      {"deploy-serve", whole, deployServe, served},
      {"deploy-test", whole, deployTest, watchedAll},
      {"deploy-empty", whole, deployEmpty, analysed},
      {"submit-here", {1080, 660}, submitHere, analysed},
      {"submit-ssh", {1080, 660}, submitSsh, analysed},
      {"submit-slurm", {1080, 660}, submitSlurm, analysed},
      {"submit-kubernetes", {1080, 660}, submitKubernetes, analysed},
      {"submit-wrong", {1080, 660}, submitWrong, analysed},
      {"runs-elsewhere", whole, jobsListed, jobsShown},
      {"queue", whole, queueFilled, queueListed},
      {"queue-empty", whole, queueEmpty, analysed},
      {"studies-empty", whole, studiesEmpty, analysed},
      {"search-dialog", QSize(900, 640), searchDialog, searchFilled},
      {"settings-searched", panel, settingsSearched, analysed},
      {"data-mnist", panel, dataPanel, sampled},
      {"data-synthetic", panel, syntheticData, sampled},
      {"data-cifar", panel, cifarData, sampled},
      {"data-idx", panel, idxData, sampled},
      {"data-folder", panel, folderData, sampled},
      {"data-csv", panel, csvData, sampled},
      {"data-defects", panel, dataDefects, defectsShown},
      {"data-error", panel, malformedData, analysed},
      {"settings-panel", {328, 1520}, settingsPanel, transformed},
      {"command-palette", whole, design, paletteShown},
      {"design-history", whole, history, drawn},
      {"guide", whole, guide, welcomeReady},
      {"guide-setting", whole, guideSetting, drawn},
      {"get-data", {940, 560}, getDataScreen, always},
      {"get-data-running", {940, 560}, getDataRunning, dataDownloadRuns},
      {"get-data-failed", {940, 560}, getDataFailed, dataDownloadFailed},
      {"explorer", {1100, 720}, explorerScreen, explorerFilled},
      {"photos", {600, 460}, photos, photosCounted},
      {"weight-matches", {820, 520}, weightMatches, always},
      {"table-targets", {460, 440}, tableTargets, always},
      {"save-block", {460, 400}, saveBlockScreen, always},
      {"devices", {460, 470}, devices, devicesSearched},
      {"preferences", {680, 560}, preferencesScreen, always},
      {"preferences-keyboard", {680, 560}, preferencesKeyboard, always},
      {"preferences-computer", {680, 760}, preferencesComputer, computerMeasured},
      {"help", {760, 620}, help, always},
      {"about", {640, 560}, about, always},
      {"components", {1100, 760}, components, always},
  };
  return table;
}

void Stage::open(const char* templateName) {
  const Template* found = find_template(templateName);
  GraphDoc doc = found->make();
  work.session.replace(std::move(doc), {}, QString::fromUtf8(templateName));
}

QWidget* Stage::show(const QString& page) {
  window = std::make_unique<MainWindow>(work);
  window->showPage(page);
  window->show();
  return window.get();
}

bool waitFor(const std::function<bool()>& condition, int milliseconds) {
  QElapsedTimer clock;
  clock.start();
  QTimer beat;  // wakes the event loop, so that the condition is evaluated again
  beat.start(10);
  while (!condition()) {
    if (clock.elapsed() > milliseconds) return false;
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  }
  return true;
}

}  // namespace nw::ui
