// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/submit/submit_form.hpp"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/submit/submission.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

using submit::Field;
using submit::HostUse;
using submit::Job;
using submit::Target;

constexpr int labels_width = 130;

QString qt(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
QString inLanguage(std::string_view english) { return translated(Text{std::string(english), {}}); }

bool always(const Target&) { return true; }
bool hasHost(const Target& t) { return t.host != HostUse::none; }
bool isElsewhere(const Target& t) { return t.host != HostUse::none || t.in_container; }

/// The text fields of a Job, by their keys in job.json.
struct TextField {
  const char* name;
  std::string Job::*to;
  const char* option;
};
const TextField text_fields[] = {
    {"name", &Job::name, "--name"},         {"host", &Job::host, ""},
    {"folder", &Job::folder, "--folder"},   {"program", &Job::program, "--program"},
    {"data", &Job::data, "--data-there"},   {"ssh_config", &Job::ssh_config, "--ssh-config"},
    {"mounted", &Job::mounted, "--mounted"}};

}  // namespace

std::map<std::string, std::string> labelsFrom(const QString& typed) {
  std::map<std::string, std::string> labels;
  for (const QString& one : typed.split(u',', Qt::SkipEmptyParts)) {
    const qsizetype sign = one.indexOf(u'=');
    labels[one.left(sign).trimmed().toStdString()] = sign < 0 ? "" : one.mid(sign + 1).trimmed().toStdString();
  }
  return labels;
}

SubmitForm::SubmitForm(const QString& name, const QString& data, QWidget* parent)
    : QScrollArea(parent), targets_(new QComboBox) {
  setObjectName(QStringLiteral("submitForm"));
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  auto* content = new QWidget;
  form_ = new QGridLayout(content);
  form_->setContentsMargins(space::xs, space::xs, space::m, space::xs);
  form_->setHorizontalSpacing(space::l);
  form_->setColumnStretch(1, 1);
  targets_->setObjectName(QStringLiteral("submitTarget"));
  targets_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);  // its texts are long
  targets_->setMinimumContentsLength(12);
  for (const Target* target : submit::all_targets()) targets_->addItem(translated(target->summary), qt(target->name));
  addRow(QStringLiteral("target"), tr("Where"), targets_, always);
  addTexts();
  addFields();
  form_->setRowStretch(form_->rowCount(), 1);
  setWidget(content);
  static_cast<QLineEdit*>(editor(QStringLiteral("copy")))->setText(data);
  const QString last = QSettings().value(QStringLiteral("submit/target")).toString();
  const Target* before = submit::find_target(last.toStdString());
  choose(before ? *before : *submit::find_target("ssh"));
  restore();
  static_cast<QLineEdit*>(editor(QStringLiteral("name")))->setText(name);
  connect(targets_, &QComboBox::currentTextChanged, targets_, &QWidget::setToolTip);
  targets_->setToolTip(targets_->currentText());
  connect(targets_, &QComboBox::currentIndexChanged, this, [this] {
    restore();
    showRows();
  });
  showRows();
}

void SubmitForm::addRow(const QString& name, const QString& title, QWidget* made,
                        std::function<bool(const Target&)> shown) {
  made->setAccessibleName(title);
  if (made->objectName().isEmpty()) made->setObjectName(QStringLiteral("submit-") + name);
  auto* problem = new SeverityLabel(SeverityLabel::Tone::error);
  auto* whole = new QWidget;
  auto* column = new QVBoxLayout(whole);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(made);
  column->addWidget(problem);
  auto* label = new QLabel(title);
  label->setBuddy(made);
  label->setMinimumWidth(labels_width);
  const int at = static_cast<int>(rows_.size());
  form_->addWidget(label, at, 0, Qt::AlignTop);
  form_->addWidget(whole, at, 1);
  rows_.push_back({name, made, label, whole, problem, std::move(shown)});
}

QLineEdit* SubmitForm::addText(const char* name, const QString& title, std::function<bool(const Target&)> shown) {
  auto* edit = new QLineEdit;
  addRow(QLatin1String(name), title, edit, std::move(shown));
  connect(edit, &QLineEdit::textChanged, this, [this] {
    showDefaults();
    Q_EMIT changed();
  });
  return edit;
}

void SubmitForm::addTexts() {
  addText("name", tr("Name of the job"), always);
  addText("host", tr("Host"), hasHost)->setPlaceholderText(tr("me@host, or a name of ssh's configuration"));
  addText("copy", tr("Data to copy"), always)
      ->setToolTip(tr("Data set of this computer; what is missing there is copied"));
  addText("data", tr("Data there"), always)->setToolTip(tr("Data set where the training runs"));
  addText("train options", tr("Training options"), always)
      ->setToolTip(tr("Beside the project's settings, such as --epochs 3"));
  addText("folder", tr("Folder there"), isElsewhere);
  addText("program", tr("Program there"), hasHost);
  addText("ssh_config", tr("Configuration of ssh"), hasHost)->setPlaceholderText(tr("your own"));
  addText("mounted", tr("Mounted here"), isElsewhere)
      ->setToolTip(tr("Where the job's folder there is mounted on this computer; empty: nowhere"));
}

void SubmitForm::addFields() {
  for (const Field& f : submit::all_fields()) {
    const auto takes = [name = f.name](const Target& t) { return t.takes(name); };
    if (!f.number) {
      addText(std::string(f.name).c_str(), inLanguage(f.title), takes);
      if (f.is_label)
        static_cast<QLineEdit*>(rows_.back().editor)->setPlaceholderText(QStringLiteral("disk=ssd, zone=a"));
      continue;
    }
    auto* spin = new QSpinBox;
    spin->setRange(static_cast<int>(f.lowest), static_cast<int>(f.highest));
    if (f.lowest == 0) spin->setSpecialValueText(tr("as the system has it"));
    addRow(qt(f.name), inLanguage(f.title), spin, takes);
    connect(spin, &QSpinBox::valueChanged, this, &SubmitForm::changed);
  }
}

QWidget* SubmitForm::editor(const QString& field) const {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.name == field; });
  return row == rows_.end() ? nullptr : row->editor;
}

bool SubmitForm::isShown(const QString& name) const {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.name == name; });
  return row != rows_.end() && row->isShown(target());
}

const Target& SubmitForm::target() const {
  return *submit::find_target(targets_->currentData().toString().toStdString());
}

void SubmitForm::choose(const Target& target) { targets_->setCurrentIndex(targets_->findData(qt(target.name))); }

void SubmitForm::showRows() {
  for (const Row& row : rows_)
    for (QWidget* part : {static_cast<QWidget*>(row.label), row.whole}) part->setVisible(row.isShown(target()));
  showDefaults();
  Q_EMIT changed();
}

/// What is meant by an empty field.
void SubmitForm::showDefaults() {
  const Job now = job();
  for (const auto& [name, text] :
       {std::pair{"folder", &now.folder}, std::pair{"program", &now.program}, std::pair{"data", &now.data}})
    static_cast<QLineEdit*>(editor(QLatin1String(name)))->setPlaceholderText(QString::fromStdString(*text));
}

QString SubmitForm::text(const QString& name) const {
  const auto* edit = qobject_cast<const QLineEdit*>(editor(name));
  return edit && isShown(name) ? edit->text().trimmed() : QString();
}

QString SubmitForm::data() const { return text(QStringLiteral("copy")); }

void SubmitForm::putResources(submit::Resources& to) const {
  for (const Field& f : submit::all_fields()) {
    if (!target().takes(f.name)) continue;
    if (f.number) to.*f.number = static_cast<const QSpinBox*>(editor(qt(f.name)))->value();
    if (f.word) to.*f.word = text(qt(f.name)).toStdString();
    if (f.is_label) to.node_selector = labelsFrom(text(qt(f.name)));
  }
}

Job SubmitForm::job() const {
  Job made;
  made.target = std::string(target().name);
  const bool here = text(QStringLiteral("host")).isEmpty() && target().host != HostUse::required;
  if (here && !target().in_container) made.program = CommandProcess::program().toStdString();
  for (const TextField& f : text_fields)
    if (const QString typed = text(QLatin1String(f.name)); !typed.isEmpty()) made.*f.to = typed.toStdString();
  for (const QString& word : QProcess::splitCommand(text(QStringLiteral("train options"))))
    made.train_options.push_back(word.toStdString());
  putResources(made.resources);
  submit::complete(made, data().toStdString());
  return made;
}

QStringList SubmitForm::arguments() const {
  const Job now = job();
  const QString host = QString::fromStdString(now.host);
  QStringList words{QStringLiteral("--to"), host.isEmpty() ? qt(now.target) : qt(now.target) + u':' + host};
  for (const TextField& f : text_fields) {
    const bool completed = f.to == &Job::data && text(QStringLiteral("data")).isEmpty();
    if (*f.option && !(now.*f.to).empty() && !completed)
      words << QLatin1String(f.option) << QString::fromStdString(now.*f.to);
  }
  if (!data().isEmpty()) words << QStringLiteral("--data") << data();
  for (const Field& f : submit::all_fields()) {
    if (!is_given(f, now.resources)) continue;
    const QString option = QStringLiteral("--") + qt(f.name);
    if (f.number) words << option << QString::number(now.resources.*f.number);
    if (f.word) words << option << QString::fromStdString(now.resources.*f.word);
    for (const auto& [label, value] :
         f.is_label ? now.resources.node_selector : decltype(now.resources.node_selector)())
      words << option << QString::fromStdString(label + "=" + value);
  }
  words << QStringLiteral("--");
  for (const std::string& word : now.train_options) words << QString::fromStdString(word);
  return words;
}

bool SubmitForm::say(const QString& field, const QString& sentence) {
  bool said = false;
  for (const Row& row : rows_) {
    const bool here = row.name == field && row.isShown(target());
    row.problem->say(here ? sentence : QString());
    row.editor->setAccessibleDescription(here ? sentence : QString());
    said |= here;
  }
  return said;
}

void SubmitForm::save() const {
  QSettings settings;
  settings.setValue(QStringLiteral("submit/target"), targets_->currentData());
  for (const Row& row : rows_) {
    if (row.name == QLatin1String("name") || !row.isShown(target())) continue;
    const QString key = QStringLiteral("submit/%1/%2").arg(qt(target().name), row.name);
    if (const auto* edit = qobject_cast<const QLineEdit*>(row.editor)) settings.setValue(key, edit->text());
    if (const auto* spin = qobject_cast<const QSpinBox*>(row.editor)) settings.setValue(key, spin->value());
  }
}

/// The fields of the target as they were when it was last submitted to; the data to copy are those of the project.
void SubmitForm::restore() {
  const QSettings settings;
  for (const Row& row : rows_) {
    if (row.name == QLatin1String("name") || row.name == QLatin1String("copy")) continue;
    const QVariant kept = settings.value(QStringLiteral("submit/%1/%2").arg(qt(target().name), row.name));
    if (auto* edit = qobject_cast<QLineEdit*>(row.editor)) edit->setText(kept.toString());
    if (auto* spin = qobject_cast<QSpinBox*>(row.editor))
      spin->setValue(kept.isValid() ? kept.toInt() : spin->minimum());
  }
}

}  // namespace nw::ui
