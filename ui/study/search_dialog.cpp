// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/search_dialog.hpp"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <thread>

#include "engine/search/apply.hpp"
#include "engine/search/journal.hpp"
#include "engine/search/project_space.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"
#include "ui/study/study_text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {

struct Goal {
  const char* text;
  const char* objective;
};
constexpr Goal first_goals[] = {{QT_TRANSLATE_NOOP("SearchDialog", "Highest validation accuracy"), "accuracy:max"},
                                {QT_TRANSLATE_NOOP("SearchDialog", "Lowest validation loss"), "loss:min"}};
constexpr Goal second_goals[] = {{QT_TRANSLATE_NOOP("SearchDialog", "Nothing else"), ""},
                                 {QT_TRANSLATE_NOOP("SearchDialog", "Fewest multiply-adds"), "multiply_adds:min"},
                                 {QT_TRANSLATE_NOOP("SearchDialog", "Fewest parameters"), "parameters:min"},
                                 {QT_TRANSLATE_NOOP("SearchDialog", "Shortest training"), "seconds:min"},
                                 {QT_TRANSLATE_NOOP("SearchDialog", "Least energy"), "energy:min"}};

QComboBox* makeCombo(const QString& name, const char* object) {
  auto* combo = new QComboBox;
  combo->setAccessibleName(name);
  combo->setObjectName(QLatin1String(object));
  return combo;
}

QSpinBox* makeSpin(const QString& name, const char* object, int low, int high, int value) {
  auto* spin = new QSpinBox;
  spin->setAccessibleName(name);
  spin->setObjectName(QLatin1String(object));
  spin->setRange(low, high);
  spin->setValue(value);
  return spin;
}

QString wordText(const Json& v) { return inOneLine(QString::fromStdString(search::text_of_value(v))); }

QString listText(const search::Parameter& p) {
  return p.kind == search::Parameter::Kind::choice ? inOneLine(QString::fromStdString(search::text_of(p))) : QString();
}

/// All usual fields; those that the project names itself with their values, also where they are not usual.
std::pair<std::vector<search::SearchField>, std::set<std::string>> fieldsOf(const GraphDoc& doc) {
  std::vector<search::SearchField> fields = search::search_fields(doc);
  std::set<std::string> chosen;
  for (search::Parameter& p : search::project_space(doc).parameters) {
    if (p.parent >= 0 || p.sets != std::vector<std::string>{p.name}) continue;
    auto at = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.name == p.name; });
    if (at == fields.end()) {
      auto other = search::search_field(doc, p.name);
      if (!other) continue;
      at = fields.insert(fields.end(), *std::move(other));
    }
    chosen.insert(p.name);
    at->suggested = std::move(p);
  }
  return {std::move(fields), std::move(chosen)};
}

}  // namespace

SearchDialog::SearchDialog(Session& session, QWidget* parent) : QDialog(parent), session_(session) {
  setObjectName(QStringLiteral("searchDialog"));
  setWindowTitle(tr("Search for settings"));
  build();
  inBackground(
      this, [doc = session.doc()] { return fieldsOf(doc); },
      [this](std::pair<std::vector<search::SearchField>, std::set<std::string>> found) {
        takeFields(std::move(found.first), found.second);
      });
  say();
}

void SearchDialog::build() {
  resize(900, 640);
  find_ = new SearchField(tr("Find a field"));
  table_ = new QTableWidget(0, 6);
  table_->setObjectName(QStringLiteral("searchFields"));
  table_->setAccessibleName(tr("Fields to search"));
  table_->setHorizontalHeaderLabels({tr("Field"), tr("Now"), tr("From"), tr("To"), tr("Log"), tr("or a list")});
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->setTabKeyNavigation(false);
  table_->setShowGrid(false);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->horizontalHeader()->setStretchLastSection(true);
  for (const auto& [column, width] : {std::pair(0, 230), {1, 90}, {2, 90}, {3, 90}, {4, 60}})
    table_->setColumnWidth(column, width);
  note_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  note_->setObjectName(QStringLiteral("searchNote"));
  note_->setWordWrap(true);
  start_ = makeButton(tr("Start the search"), ButtonKind::primary, QStringLiteral("play"));
  start_->setObjectName(QStringLiteral("startSearch"));
  start_->setDefault(true);
  auto* cancel = makeButton(tr("Cancel"), ButtonKind::ghost);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(note_, 1);
  buttons->addWidget(cancel);
  buttons->addWidget(start_);
  auto* words = makeLabel(
      tr("Tick the fields that may vary, and give each a range or a list. Every trial is a run with other values."), 2,
      static_cast<int>(TextRole::body));
  words->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addWidget(words);
  column->addWidget(find_);
  column->addWidget(table_, 1);
  column->addWidget(makeOptions());
  column->addLayout(buttons);
  connect(find_, &QLineEdit::textChanged, this, &SearchDialog::filter);
  connect(table_, &QTableWidget::itemChanged, this, &SearchDialog::say);
  connect(start_, &QPushButton::clicked, this, &SearchDialog::accept);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
}

QWidget* SearchDialog::makeOptions() {
  first_ = makeCombo(tr("Objective"), "searchGoal");
  for (const Goal& g : first_goals) first_->addItem(QCoreApplication::translate("SearchDialog", g.text));
  second_ = makeCombo(tr("and"), "searchSecondGoal");
  for (const Goal& g : second_goals) second_->addItem(QCoreApplication::translate("SearchDialog", g.text));
  sampler_ = makeCombo(tr("Sampler"), "searchSampler");
  for (const search::Sampler* s : search::all_samplers()) {
    sampler_->addItem(QString::fromUtf8(s->name.data(), static_cast<int>(s->name.size())));
    sampler_->setItemData(sampler_->count() - 1, translated(s->summary), Qt::ToolTipRole);
  }
  sampler_->setCurrentText(QStringLiteral("tpe"));
  pruner_ = makeCombo(tr("Pruner"), "searchPruner");
  for (const search::Pruner* p : search::all_pruners()) {
    pruner_->addItem(QString::fromUtf8(p->name.data(), static_cast<int>(p->name.size())));
    pruner_->setItemData(pruner_->count() - 1, translated(p->summary), Qt::ToolTipRole);
  }
  pruner_->setCurrentText(QStringLiteral("asha"));
  const auto epochs = static_cast<int>(std::clamp<std::int64_t>(session_.doc().settings().epochs, 1, 1'000'000));
  const int cores = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 256U));
  trials_ = makeSpin(tr("Trials"), "searchTrials", 1, 1'000'000, 30);
  epochs_ = makeSpin(tr("Epochs of a whole trial"), "searchEpochs", 1, 1'000'000, epochs);
  jobs_ = makeSpin(tr("Trials at the same time"), "searchJobs", 1, 256,
                   static_cast<int>(std::min<qint64>(StudyStarter::lastJobs(), cores)));
  seed_ = makeSpin(tr("Seed"), "searchSeed", 0, std::numeric_limits<int>::max(), 0);
  auto* options = new QWidget;
  auto* grid = new QGridLayout(options);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(space::m);
  QWidget* const widgets[] = {first_, second_, sampler_, pruner_, trials_, epochs_, jobs_, seed_};
  for (int i = 0; i < 8; ++i) {
    auto* label = makeLabel(widgets[i]->accessibleName(), 2, static_cast<int>(TextRole::secondary));
    label->setBuddy(widgets[i]);
    grid->addWidget(label, i / 4 * 2, i % 4);
    grid->addWidget(widgets[i], i / 4 * 2 + 1, i % 4);
  }
  for (QSpinBox* spin : {trials_, epochs_}) connect(spin, &QSpinBox::valueChanged, this, &SearchDialog::say);
  for (QComboBox* combo : {second_, pruner_, sampler_})
    connect(combo, &QComboBox::currentIndexChanged, this, &SearchDialog::say);
  return options;
}

/// What the project names is ticked and stands first; without that the learning rate is.
void SearchDialog::takeFields(std::vector<search::SearchField> fields, const std::set<std::string>& chosen) {
  filling_ = true;
  std::stable_partition(fields.begin(), fields.end(), [&](const auto& f) { return chosen.contains(f.name); });
  fields_ = std::move(fields);
  table_->setRowCount(static_cast<int>(fields_.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const search::SearchField& f = fields_[static_cast<std::size_t>(row)];
    addRow(row, f, chosen.empty() ? f.name == "learning_rate" : chosen.contains(f.name));
  }
  filling_ = false;
  say();
}

void SearchDialog::addRow(int row, const search::SearchField& f, bool tick) {
  const auto put = [&](int column, const QString& text, bool editable, const QString& name) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(editable ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable
                            : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setData(Qt::AccessibleTextRole, QStringLiteral("%1, %2: %3").arg(parameterTitle(f.name), name, text));
    table_->setItem(row, column, item);
    return item;
  };
  const search::Parameter& p = f.suggested;
  const bool choice = p.kind == search::Parameter::Kind::choice;
  QTableWidgetItem* first = put(field, parameterTitle(f.name), false, tr("Field"));
  first->setFlags(first->flags() | Qt::ItemIsUserCheckable);
  first->setCheckState(tick ? Qt::Checked : Qt::Unchecked);
  first->setToolTip(inOneLine(QString::fromStdString(f.name)));
  put(now, wordText(f.now), false, tr("Now"));
  put(from, choice ? QString() : wordText(p.low), true, tr("From"));
  put(to, choice ? QString() : wordText(p.high), true, tr("To"));
  QTableWidgetItem* log = put(logarithmic, {}, false, tr("Log"));
  log->setFlags(log->flags() | Qt::ItemIsUserCheckable);
  log->setCheckState(p.log ? Qt::Checked : Qt::Unchecked);
  put(list, listText(p), true, tr("or a list"));
}

int SearchDialog::rowOf(const std::string& name) const {
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (fields_[i].name == name) return static_cast<int>(i);
  return -1;
}

void SearchDialog::filter(const QString& words) {
  for (int row = 0; row < table_->rowCount(); ++row) {
    const QString name = QString::fromStdString(fields_[static_cast<std::size_t>(row)].name);
    table_->setRowHidden(row, !table_->item(row, field)->text().contains(words, Qt::CaseInsensitive) &&
                                  !name.contains(words, Qt::CaseInsensitive));
  }
}

int SearchDialog::ticked() const {
  int n = 0;
  for (int row = 0; row < table_->rowCount(); ++row) n += table_->item(row, field)->checkState() == Qt::Checked ? 1 : 0;
  return n;
}

bool SearchDialog::isAsSuggested(int row) const {
  const search::Parameter& p = fields_[static_cast<std::size_t>(row)].suggested;
  const auto shows = [&](int column, const QString& text) { return table_->item(row, column)->text() == text; };
  if (p.kind == search::Parameter::Kind::choice) return shows(list, listText(p));
  return shows(list, {}) && shows(from, wordText(p.low)) && shows(to, wordText(p.high)) &&
         (table_->item(row, logarithmic)->checkState() == Qt::Checked) == p.log;
}

Result<search::Parameter> SearchDialog::parameterOf(int row) const {
  const search::SearchField& f = fields_[static_cast<std::size_t>(row)];
  if (isAsSuggested(row)) return f.suggested;
  Json j{{"name", f.name}};
  if (const auto values = search::listed_values(table_->item(row, list)->text().toStdString()); !values.empty()) {
    j["type"] = "choice";
    for (const std::string& v : values) j["values"].push_back(search::value_from_text(v));
  } else {
    const bool whole = f.suggested.kind == search::Parameter::Kind::integer;
    j["type"] = whole ? "int" : "real";
    for (const auto& [key, column] : {std::pair("low", from), std::pair("high", to)}) {
      const Json v = search::value_from_text(table_->item(row, column)->text().trimmed().toStdString());
      if (!v.is_number())
        return fail(Errc::bad_input, NW_TR("{0}: from and to are numbers, or there is a list"), f.name);
      j[key] = v;
    }
    const bool log = table_->item(row, logarithmic)->checkState() == Qt::Checked;
    if (log) j["log"] = true;
    if (whole && !log && f.suggested.step > 1 && j["low"].is_number_integer() &&
        j["low"].get<std::int64_t>() % static_cast<std::int64_t>(f.suggested.step) == 0)
      j["step"] = static_cast<std::int64_t>(f.suggested.step);
  }
  NW_ASSIGN(const search::Space one, search::space_from_json({{"parameters", Json::array({j})}}, f.name));
  return one.parameters.front();
}

Result<search::Space> SearchDialog::space() const {
  search::Space space;
  for (int row = 0; row < table_->rowCount(); ++row) {
    if (table_->item(row, field)->checkState() != Qt::Checked) continue;
    NW_ASSIGN(search::Parameter p, parameterOf(row));
    space.parameters.push_back(std::move(p));
  }
  if (space.parameters.empty()) return fail(Errc::bad_input, NW_TR("Tick at least one field"));
  return space;
}

void SearchDialog::say() {
  if (filling_) return;
  const bool two = second_->currentIndex() > 0;
  pruner_->setEnabled(!two);
  pruner_->setToolTip(two ? tr("Only a study with one objective is pruned.") : QString());
  const auto made = space();
  start_->setEnabled(loaded() && made);
  if (!loaded())
    note_->setText(tr("Reading the fields of the project…"));
  else if (!made)
    note_->setText(translated(made.error().what));
  else
    note_->setText(tr("%1 field(s), %2 trials of up to %3 epochs each", nullptr, ticked())
                       .arg(ticked())
                       .arg(trials_->value())
                       .arg(epochs_->value()));
}

void SearchDialog::accept() {
  auto made = space();
  if (made)
    if (const Status good = search::check_space(session_.doc(), *made); !good) made = good.error();
  order_.objectives = {*search::objective_from_text(first_goals[std::max(0, first_->currentIndex())].objective)};
  if (const int second = second_->currentIndex(); second > 0)
    order_.objectives.push_back(*search::objective_from_text(second_goals[second].objective));
  order_.sampler = sampler_->currentText().toStdString();
  if (made)
    if (const search::Sampler* s = search::find_sampler(order_.sampler); s && s->check)
      if (const Status good = s->check(*made, order_.objectives); !good) made = good.error();
  if (!made) return note_->setText(translated(made.error().what));
  order_.space = *std::move(made);
  order_.pruner = order_.objectives.size() > 1 ? "none" : pruner_->currentText().toStdString();
  order_.trials = trials_->value();
  order_.epochs = epochs_->value();
  order_.jobs = jobs_->value();
  order_.seed = static_cast<quint64>(seed_->value());
  QDialog::accept();
}

}  // namespace nw::ui
