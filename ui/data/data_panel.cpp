// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_panel.hpp"

#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>

#include "ui/data/check_panel.hpp"
#include "ui/data/data_views.hpp"
#include "ui/data/path_field.hpp"
#include "ui/page/page.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/panel_row.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int merge_keys = 0xda7a;
constexpr qsizetype most_warnings = 12;  // shown at once; a thousand damaged images would hide other warnings

class NoWheelComboBox : public QComboBox {  // scrolling the panel must not change the value
 public:
  NoWheelComboBox() {
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QComboBox::currentTextChanged, this, &QWidget::setToolTip);  // the panel may be too narrow for it
  }

 protected:
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

QString four_digits_per_channel(const std::vector<double>& values) {
  QStringList texts;
  for (const double v : values) texts << QString::number(v, 'f', 4);
  return texts.join(QStringLiteral("  "));
}

}  // namespace

DataPanel::DataPanel(Session& session, QWidget* parent)
    : QScrollArea(parent),
      session_(session),
      probe_(dataOpener(session)),
      rows_(dataRows()),
      preview_(new SamplePreview(session)),
      check_(new CheckPanel(session)),
      counts_(new ClassCounts) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAcceptDrops(true);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(space::l, space::m, space::l, space::l);
  column->setSpacing(space::s);
  column->addWidget(makeSummary());
  FormSection* section = nullptr;
  for (int i = 0; i < static_cast<int>(rows_.size()); ++i) {
    const DataRow& row = rows_[static_cast<std::size_t>(i)];
    if (i == 0 || row.section != rows_[static_cast<std::size_t>(i) - 1].section) {
      section = new FormSection(row.section, content);
      column->addWidget(section);
    }
    shown_[row.id] = new PanelRow(row.label, makeControl(row, i), row.help);
    section->addWide(shown_[row.id]);
  }
  normalization_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  normalization_->setWordWrap(true);
  section->addWide(normalization_);
  samples_ = new FormSection(tr("Samples"), content);
  samples_->addWide(makePreview());
  classes_ = new FormSection(tr("Classes"), content);
  classes_->addWide(counts_);
  defects_ = new FormSection(tr("Check"), content);
  defects_->addWide(check_);
  column->insertWidget(1, samples_);
  column->insertWidget(2, defects_);
  column->addWidget(classes_);
  column->addStretch();
  setWidget(content);
  connect(&session_, &Session::documentChanged, this, &DataPanel::refresh);
  connect(&session_, &Session::documentReplaced, this, [this] {
    paths_.clear();
    refresh();
  });
  connect(&probe_, &DataOpener::changed, this, &DataPanel::infoChanged);
  refresh();
  infoChanged();
}

QWidget* DataPanel::makeSummary() {
  auto* summary = new QWidget;
  auto* rows = new QVBoxLayout(summary);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(2);
  title_ = makeLabel({}, 1, static_cast<int>(TextRole::title), summary);
  place_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), summary);
  error_ = new SeverityLabel(SeverityLabel::Tone::error, summary);
  warnings_ = new SeverityLabel(SeverityLabel::Tone::warn, summary);
  busy_ = new QProgressBar(summary);
  busy_->setRange(0, 0);
  busy_->setTextVisible(false);
  busy_->setFixedHeight(3);
  busy_->setAccessibleName(tr("Opening the data"));
  for (QLabel* label : {title_, place_, static_cast<QLabel*>(error_), static_cast<QLabel*>(warnings_)}) {
    label->setWordWrap(true);
    rows->addWidget(label);
  }
  repairs_ = new QVBoxLayout;
  repairs_->setSpacing(space::xs);
  rows->addLayout(repairs_);
  rows->addWidget(busy_);
  QPushButton* get = makeButton(tr("Get data…"), ButtonKind::neutral, QStringLiteral("download"), summary);
  get->setToolTip(tr("Download public data sets and verify their checksums"));
  connect(get, &QPushButton::clicked, action(QStringLiteral("get-data")), &QAction::trigger);
  rows->addSpacing(space::xs);
  rows->addWidget(get);
  return summary;
}

QWidget* DataPanel::makePreview() {
  auto* box = new QWidget;
  auto* rows = new QVBoxLayout(box);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  split_ = new SegmentedControl(box);
  for (const QString& text : {tr("Training"), tr("Validation"), tr("Test")}) split_->addSegment(text);
  connect(split_, &SegmentedControl::currentChanged, this, [this](int i) {
    preview_->setSplit(QLatin1String(i == 0 ? "train" : i == 1 ? "validation" : "test"));
  });
  QPushButton* more = makeIconButton(QStringLiteral("chevron-right"), tr("More images"), box);
  connect(more, &QPushButton::clicked, preview_, &SamplePreview::next);
  QPushButton* all = makeButton(tr("Browse all images"), ButtonKind::neutral, QStringLiteral("images"), box);
  connect(all, &QPushButton::clicked, action(QStringLiteral("explore-data")), &QAction::trigger);
  auto* below = new QHBoxLayout;  // in one row with the names of the splits they would widen the panel
  below->addWidget(all);
  below->addStretch();
  below->addWidget(more);
  rows->addWidget(split_, 0, Qt::AlignLeft);
  rows->addWidget(preview_);
  rows->addLayout(below);
  return box;
}

QWidget* DataPanel::makeControl(const DataRow& row, int index) {
  switch (row.kind) {
    case DataRow::Kind::choice: {
      auto* box = new NoWheelComboBox;
      box->addItems(row.choices);
      // the panel is narrower than the longest choice
      box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
      box->setMinimumContentsLength(8);
      connect(box, &QComboBox::currentIndexChanged, this,
              [this, index](int at) { change(index, static_cast<double>(at)); });
      return box;
    }
    case DataRow::Kind::file:
    case DataRow::Kind::folder: {
      auto* field = new PathField(row.kind == DataRow::Kind::folder, row.zero);
      connect(field, &PathField::pathChanged, this, [this, index](const QString& path) { change(index, path); });
      return field;
    }
    case DataRow::Kind::text: {
      auto* line = new QLineEdit;
      line->setPlaceholderText(row.zero);
      connect(line, &QLineEdit::editingFinished, this, [this, index, line] { change(index, line->text().trimmed()); });
      return line;
    }
    case DataRow::Kind::number: {
      auto* spin = new NumberSpin(row.unit != QLatin1String("%"), row.lo, row.hi, row.step);
      spin->setZeroText(row.zero);
      spin->setUnit(row.unit);
      connect(spin, &QDoubleSpinBox::valueChanged, this, [this, index](double value) { change(index, value); });
      return spin;
    }
    case DataRow::Kind::toggle:
      break;
  }
  auto* toggle = new ToggleSwitch(row.label);
  toggle->setCheckable(true);
  connect(toggle, &QAbstractButton::toggled, this, [this, index](bool on) { change(index, on ? 1.0 : 0.0); });
  return toggle;
}

QWidget* DataPanel::control(const QString& id) const {
  const auto found = shown_.find(id);
  return found == shown_.end() ? nullptr : found->second->control();
}
bool DataPanel::isShown(const QString& id) const {
  const auto found = shown_.find(id);
  return found != shown_.end() && !found->second->isHidden();
}
QString DataPanel::errorText() const { return error_->isHidden() ? QString() : error_->sentence(); }

void DataPanel::show(const DataRow& row) {
  const DataChoice& choice = session_.doc().data();
  PanelRow* line = shown_[row.id];
  line->setVisible(!row.applies || row.applies(choice));
  const DataRow::Value value = row.get(choice);
  QWidget* control = line->control();
  if (auto* field = qobject_cast<PathField*>(control))
    field->setPath(std::get<QString>(value));
  else if (auto* text = qobject_cast<QLineEdit*>(control)) {
    if (text->text() != std::get<QString>(value)) text->setText(std::get<QString>(value));
  } else if (auto* box = qobject_cast<QComboBox*>(control))
    box->setCurrentIndex(static_cast<int>(std::get<double>(value)));
  else if (auto* toggle = qobject_cast<QAbstractButton*>(control))
    toggle->setChecked(std::get<double>(value) != 0);
  else if (auto* spin = qobject_cast<NumberSpin*>(control))
    spin->follow(std::get<double>(value));
}

void DataPanel::refresh() {
  refreshing_ = true;
  for (const DataRow& row : rows_) show(row);
  refreshing_ = false;
  showNormalization();
}

void DataPanel::infoChanged() {
  const DataInfo& info = probe_.info();
  const bool opening = probe_.state() == DataOpener::State::opening,
             failed = probe_.state() == DataOpener::State::failed;
  busy_->setVisible(opening);
  title_->setText(failed                       ? tr("The data cannot be read")
                  : info.description.isEmpty() ? tr("Opening the data")
                                               : info.description);
  place_->setText(info.place);
  place_->setVisible(!info.place.isEmpty() && !failed);
  error_->say(failed ? probe_.error() : QString());
  showRepairs();
  keepFocus();
  QStringList warnings = info.warnings;
  if (info.fellBack)
    warnings.prepend(tr("The data set was not found; synthetic digits are used instead. Choose its folder below."));
  if (const qsizetype more = warnings.size() - most_warnings; more > 0) {
    warnings.resize(most_warnings);
    warnings << tr("%1 more; netwright-cli data verify lists all of them").arg(more);
  }
  warnings_->say(failed ? QString() : warnings.join(QLatin1Char('\n')));
  samples_->setVisible(!failed);
  classes_->setVisible(!failed);
  defects_->setVisible(!failed);
  if (opening) return;
  counts_->setInfo(info);
  preview_->refresh();
  showNormalization();
}

void DataPanel::showRepairs() {
  clearLayout(repairs_);
  for (const DataRepair& repair : probe_.repairs()) {
    const QString label = translated(repair.label);
    QPushButton* button = makeButton(label, repairs_->isEmpty() ? ButtonKind::tonal : ButtonKind::neutral);
    button->setObjectName(QStringLiteral("repair-%1").arg(repairs_->count()));
    button->setToolTip(label);
    button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // a long path must not widen the panel
    repairs_->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, button, data = repair.data, label] {
      repaired_ = button->hasFocus();
      QMetaObject::invokeMethod(
          this, [this, data, label] { push(data, label); }, Qt::QueuedConnection);
    });
  }
}

/// A repair removes its button: the focus goes to the next repair, or to the choice of what the data are.
void DataPanel::keepFocus() {
  if (!repaired_) return;
  const bool opening = probe_.state() == DataOpener::State::opening;
  const QWidget* now = QApplication::focusWidget();
  const bool moved = now && (!isAncestorOf(now) || (!opening && repairs_->isEmpty()));  // by the user, or from here
  repaired_ = opening && !moved;
  if (moved) return;
  QWidget* next = repairs_->isEmpty() ? control(QStringLiteral("kind")) : repairs_->itemAt(0)->widget();
  next->setFocus(Qt::OtherFocusReason);
  ensureWidgetVisible(next);
}

void DataPanel::showNormalization() {
  const DataInfo& info = probe_.info();
  const bool on = session_.doc().data().normalize && !info.mean.empty();
  normalization_->setVisible(on);
  normalization_->setText(tr("Mean %1\nStandard deviation %2")
                              .arg(four_digits_per_channel(info.mean), four_digits_per_channel(info.deviation)));
}

void DataPanel::change(int index, const DataRow::Value& value) {
  if (refreshing_) return;
  const DataRow& row = rows_[static_cast<std::size_t>(index)];
  DataChoice choice = session_.doc().data();
  const DataChoice before = choice;
  row.set(choice, value);
  if (choice.path != before.path) follow_path(choice);
  if (!(choice.kind == before.kind)) recallPaths(before, choice);
  push(choice, tr("Set %1").arg(row.label), row.kind == DataRow::Kind::number ? merge_keys + index : 0);
}

/// The paths of each kind come back when its turn comes again.
void DataPanel::recallPaths(const DataChoice& before, DataChoice& now) {
  paths_[std::string(before.kind.name())] = before;
  const auto found = paths_.find(std::string(now.kind.name()));
  if (!now.path.empty() || found == paths_.end()) return;
  for (const auto member :
       {&DataChoice::path, &DataChoice::labels_path, &DataChoice::test_path, &DataChoice::test_labels_path})
    now.*member = found->second.*member;
}

void DataPanel::push(const DataChoice& choice, const QString& text, int mergeKey) {
  if (choice != session_.doc().data()) session_.push({PutData{choice}}, text, mergeKey);
}

void DataPanel::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void DataPanel::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.isEmpty() || !urls.front().isLocalFile()) return;
  event->acceptProposedAction();
  push(choice_for(urls.front().toLocalFile(), session_.doc().data()), tr("Choose data"));
}

QWidget* makeDataPanel(Session& session) { return new DataPanel(session); }

}  // namespace nw::ui
