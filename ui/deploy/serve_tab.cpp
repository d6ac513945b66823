// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/serve_tab.hpp"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/data/path_field.hpp"
#include "ui/deploy/deploy_ground.hpp"
#include "ui/deploy/export_item.hpp"
#include "ui/deploy/rate_chart.hpp"
#include "ui/page/page.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/adaptive.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int most_runs = 200, log_lines = 500, places_of_rates = 120, form_width = 320;

QLabel* formLabel(const QString& text, QWidget* buddy, QWidget* parent) {
  QLabel* label = makeLabel(text, 2, static_cast<int>(TextRole::secondary), parent);
  label->setBuddy(buddy);
  return label;
}

QString latencyText(double seconds) { return seconds < 0 ? QStringLiteral("–") : millisecondsText(seconds * 1000); }

}  // namespace

DeployTab* makeServeTab(const DeployContext& context) { return new ServeTab(context); }

ServeTab::ServeTab(const DeployContext& context, QWidget* parent)
    : DeployTab(parent), context_(context), server_(inferenceServer(context.session)) {
  setObjectName(QStringLiteral("serveTab"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(makeForm());
  row->addWidget(makeState(), 1);
  connect(&server_, &InferenceServer::changed, this, &ServeTab::showState);
  connect(&server_, &InferenceServer::measured, this, &ServeTab::showFigures);
  connect(&context_.weights, &WeightsList::refreshed, this, &ServeTab::fillRuns);
  connect(action(QStringLiteral("deploy-serve")), &QAction::triggered, this, [this] {
    if (isVisible()) startOrStop();
  });
  showState();
}

QWidget* ServeTab::makeForm() {
  auto* form = new DeployGround(&Theme::window);
  form->setFixedWidth(form_width);
  makePane(*form);
  auto* column = new QVBoxLayout(form);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(6);
  runs_ = new QListWidget(form);
  runs_->setObjectName(QStringLiteral("servedRuns"));
  runs_->setAccessibleName(tr("Runs to serve"));
  checkpoint_ = new QComboBox(form);
  checkpoint_->addItem(tr("Best, also a newer one"), QStringLiteral("best"));
  checkpoint_->addItem(tr("Latest, also a newer one"), QStringLiteral("latest"));
  checkpoint_->setAccessibleName(tr("Checkpoint"));
  port_ = new QSpinBox(form);
  port_->setObjectName(QStringLiteral("servePort"));
  port_->setRange(1024, 65535);
  port_->setValue(server_.choice().port);
  port_->setAccessibleName(tr("Port"));
  token_ = new PathField(false, tr("No token: only this computer"), form);
  token_->setObjectName(QStringLiteral("serveToken"));
  outlives_ = new QCheckBox(tr("Goes on after the window"), form);
  outlives_->setObjectName(QStringLiteral("serveOutlives"));
  outlives_->setChecked(server_.choice().outlives);
  start_ = makeButton({}, ButtonKind::primary, QStringLiteral("play"), form);
  start_->setObjectName(QStringLiteral("serveStart"));
  column->addWidget(formLabel(tr("Runs"), runs_, form));
  column->addWidget(runs_, 1);
  column->addWidget(formLabel(tr("Checkpoint"), checkpoint_, form));
  column->addWidget(checkpoint_);
  column->addWidget(formLabel(tr("Port"), port_, form));
  column->addWidget(port_);
  column->addWidget(formLabel(tr("File with a token"), token_, form));
  column->addWidget(token_);
  column->addWidget(outlives_);
  column->addSpacing(space::s);
  column->addWidget(start_);
  connect(start_, &QPushButton::clicked, this, &ServeTab::startOrStop);
  connect(outlives_, &QCheckBox::toggled, this, [this](bool on) { server_.setOutlives(on); });
  connect(runs_, &QListWidget::itemChanged, this, &ServeTab::showState);
  return form;
}

QWidget* ServeTab::makeState() {
  auto* ground = new DeployGround(&Theme::canvas);
  makePane(*ground);
  auto* column = new QVBoxLayout(ground);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(space::m);
  auto* card = new Card;
  auto* inside = static_cast<QVBoxLayout*>(card->body()->layout());
  auto* head = new QHBoxLayout;
  pill_ = new QWidget(card);
  (new QHBoxLayout(pill_))->setContentsMargins(0, 0, 0, 0);
  address_ = makeElidedLabel({}, 1, static_cast<int>(TextRole::mono), card);
  address_->setObjectName(QStringLiteral("serveAddress"));
  page_ = makeButton(tr("Open test page"), ButtonKind::tonal, QStringLiteral("external"), card);
  copy_ = makeButton(tr("Copy address"), ButtonKind::neutral, QStringLiteral("copy"), card);
  head->addWidget(pill_);
  head->addWidget(address_, 1);
  head->addWidget(page_);
  head->addWidget(copy_);
  inside->addLayout(head);
  problem_ = makeLabel({}, 1, static_cast<int>(TextRole::body), card);
  problem_->setObjectName(QStringLiteral("serveProblem"));
  problem_->setWordWrap(true);
  free_ = makeButton(tr("Take a free port and start"), ButtonKind::tonal, {}, card);
  free_->setObjectName(QStringLiteral("serveFreePort"));
  inside->addWidget(problem_);
  inside->addWidget(free_, 0, Qt::AlignLeft);
  models_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary), card);
  models_->setObjectName(QStringLiteral("serveModels"));
  inside->addWidget(models_);
  auto* row = new QHBoxLayout;
  row->setSpacing(space::xl);
  for (const QString& name : {tr("Requests/s"), tr("p50"), tr("p99"), tr("Errors")}) {
    auto* pair = new QVBoxLayout;
    pair->setSpacing(1);
    pair->addWidget(makeLabel(name, 2, static_cast<int>(TextRole::axis), card));
    figures_ << makeElidedLabel(QStringLiteral("–"), 1, static_cast<int>(TextRole::figure), card);
    figures_.back()->setAccessibleName(name);
    pair->addWidget(figures_.back());
    row->addLayout(pair, 1);
  }
  inside->addLayout(row);
  chart_ = new RateChart(tr("Requests a second in the last minute"), card);
  inside->addWidget(chart_);
  column->addWidget(card);
  auto* log = new Card(tr("Log"));
  log_ = new QPlainTextEdit(log);
  log_->setObjectName(QStringLiteral("serveLog"));
  log_->setReadOnly(true);
  log_->setFrameShape(QFrame::NoFrame);
  log_->setTabChangesFocus(true);
  log_->setMaximumBlockCount(log_lines);
  log_->setLineWrapMode(QPlainTextEdit::NoWrap);
  log_->setFont(ui::font(TextRole::mono));
  log_->setAccessibleName(tr("Log of the server"));
  log->body()->layout()->addWidget(log_);
  column->addWidget(log, 1);
  connect(page_, &QPushButton::clicked, this, [this] { QDesktopServices::openUrl(QUrl(server_.address())); });
  connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(server_.address()); });
  connect(free_, &QPushButton::clicked, this, &ServeTab::useFreePort);
  return ground;
}

/// The page's run is ticked until the user ticks something else.
void ServeTab::setWeights(const DeployWeights& weights) {
  const bool follows = server_.state() == InferenceServer::State::stopped && chosenRuns() == QStringList{run_};
  run_ = weights.run;
  tick(follows ? QStringList{run_} : ticked());
}

QStringList ServeTab::ticked() const {
  return server_.state() == InferenceServer::State::stopped ? chosenRuns() : server_.choice().runs;
}

void ServeTab::fillRuns() { tick(ticked()); }

void ServeTab::tick(QStringList ticked) {
  if (ticked.isEmpty() && !run_.isEmpty()) ticked << run_;
  const QSignalBlocker quiet(runs_);
  const int at = runs_->currentRow();
  runs_->clear();
  for (const WeightsOfRun& run : context_.weights.runs()) {
    if (runs_->count() >= most_runs) break;
    auto* item = new QListWidgetItem(inOneLine(run.title()), runs_);
    item->setData(Qt::UserRole, run.folder());
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(ticked.contains(run.folder()) ? Qt::Checked : Qt::Unchecked);
    item->setToolTip(inOneLine(run.title()));
  }
  if (at >= 0 && at < runs_->count()) runs_->setCurrentRow(at);
  showState();
}

QStringList ServeTab::chosenRuns() const {
  QStringList all;
  for (int i = 0; i < runs_->count(); ++i)
    if (runs_->item(i)->checkState() == Qt::Checked) all << runs_->item(i)->data(Qt::UserRole).toString();
  return all;
}

void ServeTab::setWatching(bool on) {
  if (on) showFigures();
}

void ServeTab::startOrStop() {
  if (server_.state() != InferenceServer::State::stopped) return server_.stop();
  if (chosenRuns().isEmpty()) return;
  log_->clear();
  server_.start(
      {chosenRuns(), checkpoint_->currentData().toString(), port_->value(), token_->path(), outlives_->isChecked()});
}

void ServeTab::useFreePort() {
  if (const int port = InferenceServer::freePort(); port > 0) port_->setValue(port);
  startOrStop();
}

void ServeTab::showState() {
  using State = InferenceServer::State;
  const State state = server_.state();
  const bool stopped = state == State::stopped, up = state == State::running;
  struct Shown {
    QString text, tone;
  };
  const Shown shown = state == State::running       ? Shown{tr("▸ Running"), QStringLiteral("ok")}
                      : state == State::starting    ? Shown{tr("Starting"), QStringLiteral("accent")}
                      : state == State::stopping    ? Shown{tr("Stopping"), QStringLiteral("accent")}
                      : server_.problem().isEmpty() ? Shown{tr("Stopped"), QStringLiteral("neutral")}
                                                    : Shown{tr("✕ Ended"), QStringLiteral("error")};
  showPill(*pill_, shown.text, shown.tone);
  address_->setText(stopped ? tr("This computer only") : server_.address());
  for (QPushButton* button : {page_, copy_}) button->setEnabled(up);
  if (!stopped) port_->setValue(server_.choice().port);
  start_->setIcon(icon(stopped ? QStringLiteral("play") : QStringLiteral("stop")));
  start_->setText(stopped ? tr("Start server") : tr("Stop server"));
  setButtonKind(start_, stopped ? ButtonKind::primary : ButtonKind::danger);
  start_->setEnabled(!stopped || !chosenRuns().isEmpty());
  for (QWidget* part : std::initializer_list<QWidget*>{runs_, checkpoint_, port_, token_}) part->setEnabled(stopped);
  const QString advice =
      server_.portTaken() ? tr("Stop the program that uses port %1, or take another port.").arg(server_.choice().port)
                          : QString();
  problem_->setText((server_.problem() + u' ' + advice).trimmed());
  problem_->setVisible(stopped && !problem_->text().isEmpty());
  free_->setVisible(stopped && server_.portTaken());
  showFigures();
  Q_EMIT statusChanged();
}

void ServeTab::showFigures() {
  const bool up = server_.state() == InferenceServer::State::running;
  const std::map<double, double> latency = server_.recentLatency();
  const QString dash = QStringLiteral("–");
  const QStringList texts{up ? QString::number(server_.requestsPerSecond(), 'f', 1) : dash,
                          up ? latencyText(latencyQuantile(latency, 0.5)) : dash,
                          up ? latencyText(latencyQuantile(latency, 0.99)) : dash,
                          up ? grouped(static_cast<qint64>(server_.metrics().errors)) : dash};
  for (int i = 0; i < figures_.size(); ++i) figures_[i]->setText(texts[i]);
  models_->setText(up ? tr("Serves %1").arg(server_.metrics().models.join(QStringLiteral("; "))) : QString());
  chart_->setValues({server_.rates().begin(), server_.rates().end()}, places_of_rates, tr("a minute ago"), tr("now"));
  for (const QString& line : server_.takeLog()) log_->appendPlainText(line);
}

QString ServeTab::figure(int index) const { return figures_.value(index) ? figures_[index]->text() : QString(); }

QString ServeTab::status() const {
  if (server_.state() != InferenceServer::State::running) return tr("No server runs");
  return tr("Server at %1").arg(server_.address());
}

}  // namespace nw::ui
