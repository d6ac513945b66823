// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/change_screens.hpp"

#include "engine/design/merge.hpp"
#include "engine/design/project_file.hpp"
#include "engine/search/project_space.hpp"
#include "ui/design/design_page.hpp"
#include "ui/design/problem_list.hpp"
#include "ui/page/page.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/files/merge_dialog.hpp"

namespace nw::ui {
namespace {

void search(Session& session, const char* field, const char* typed) {
  const auto known = search::search_field(session.doc(), field);
  if (!known) return;
  const auto p = search::parameter_from_text(session.doc(), *known, typed, std::string_view(field) == "learning_rate");
  if (p) session.push(search::search_over(session.doc(), *p), QStringLiteral("Search"));
}

NodeId layer(const GraphDoc& doc, const char* name) {
  for (const auto& [id, node] : doc.graph().nodes)
    if (node.name == name) return id;
  return 0;
}

DesignPage& designOf(Stage& s) { return *static_cast<DesignPage*>(s.window->page(QStringLiteral("design"))); }

void changed(GraphDoc& doc, const char* name, std::int64_t filters, double rate) {
  TrainSettings settings = doc.settings();
  settings.learning_rate = rate;
  (void)doc.apply(set_attr(doc, "", layer(doc, name), "out_channels", filters));
  (void)doc.apply({PutSettings{settings}});
}

}  // namespace

QWidget* designSearched(Stage& s) {
  s.open("lenet5");
  search(s.work.session, "conv2.out_channels", "12, 16, 24");
  search(s.work.session, "conv2.kernel_size", "3, 5");
  search(s.work.session, "conv2.lr_scale", "0.1 … 1");
  QWidget* shown = s.show(QStringLiteral("design"));
  designOf(s).canvas().scene().selection().setCurrent(layer(s.work.session.doc(), "conv2"));
  return shown;
}

QWidget* settingsSearched(Stage& s) {
  s.open("lenet5");
  search(s.work.session, "learning_rate", "0.0001 … 0.1");
  search(s.work.session, "batch", "16, 32, 64");
  search(s.work.session, "optimizer", "sgd, adam, adamw");
  QWidget* shown = makeSettingsPanel(s.work.session);
  s.extra.reset(shown);
  shown->setVisible(true);
  return shown;
}

QWidget* designMerged(Stage& s) {
  s.open("lenet5");
  const GraphDoc base = s.work.session.doc();
  GraphDoc ours = base, theirs = base;
  changed(ours, "conv1", 8, 0.01);
  changed(theirs, "conv1", 12, 0.003);
  changed(theirs, "conv2", 24, 0.003);
  if (auto made = merge(base, ours, theirs)) s.work.session.replace(std::move(made->doc), {}, QStringLiteral("lenet5"));
  QWidget* shown = s.show(QStringLiteral("design"));
  designOf(s).canvas().view().camera().fitAll();
  return shown;
}

bool mergeListed(Stage& s) {
  const auto* list = s.window->findChild<ProblemList*>();
  if (!analysed(s) || !list || list->problemCount() < 1) return false;
  if (!s.calm.isValid()) {
    action(QStringLiteral("next-problem"))->trigger();
    s.calm.start();
  }
  return s.calm.elapsed() > 400;
}

QWidget* mergeDialog(Stage& s) {
  s.open("lenet5");
  auto* made = new MergeDialog(s.work.session);
  s.extra.reset(made);
  made->setVisible(true);
  return made;
}

}  // namespace nw::ui
