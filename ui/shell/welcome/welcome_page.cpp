// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/welcome/welcome_page.hpp"

#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/design/project_file.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/welcome/computer_card.hpp"
#include "ui/shell/welcome/template_card.hpp"
#include "ui/shell/welcome/welcome_side.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int sideWidth = 360, mainMargin = 36, cardWidth = 270;

/// All templates; the one recommended to beginners is first.
std::vector<const Template*> templatesShown() {
  std::vector<const Template*> all;
  for (const Template& t : all_templates()) all.push_back(&t);
  std::stable_partition(all.begin(), all.end(), [](const Template* t) { return t->name == "lenet5"; });
  return all;
}

}  // namespace

WelcomePage::WelcomePage(AppState& workplace, ProjectFiles& files) : work_(workplace), files_(files) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(makeSide());
  row->addWidget(makeMain(), 1);
  drawTemplates();
}

void WelcomePage::activated() {
  showRecovered();
  readRecentSoon();
}

QWidget* WelcomePage::makeSide() {
  auto* side = new WelcomeSide(this);
  side->setFixedWidth(sideWidth);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(space::l, 28, space::xl, space::xl);
  column->setSpacing(2);
  column->addWidget(new Brand(side));
  column->addSpacing(space::xl);
  for (const char* id : {"new", "open"}) column->addWidget(new CommandRow(*action(QLatin1String(id)), side));
  auto* folder = new QAction(icon(QStringLiteral("database")), tr("Use a folder of images"), this);
  connect(folder, &QAction::triggered, this, &WelcomePage::chooseFolder);
  auto* folderRow = new CommandRow(*folder, side);
  folderRow->setObjectName(QStringLiteral("useFolder"));
  column->addWidget(folderRow);
  auto* examples = new QAction(icon(QStringLiteral("book")), tr("Open an example"), this);
  auto* examplesRow = new CommandRow(*examples, side);
  examplesRow->setObjectName(QStringLiteral("openExample"));
  connect(examples, &QAction::triggered, this, [this, examplesRow] {
    QMenu menu(this);
    files_.fillExamples(menu);
    menu.exec(examplesRow->mapToGlobal(QPoint(0, examplesRow->height())));
  });
  column->addWidget(examplesRow);
  for (const char* id : {"guide", "page-runs", "preferences", "help"})
    column->addWidget(new CommandRow(*action(QLatin1String(id)), side));
  column->addSpacing(space::m);
  column->addWidget(new ThinLine(side));
  column->addSpacing(space::m);
  auto* lists = new QWidget(side);
  auto* listColumn = new QVBoxLayout(lists);
  listColumn->setContentsMargins(0, 0, 0, 0);
  listColumn->setSpacing(2);
  recovered_ = new QVBoxLayout;
  recovered_->setSpacing(2);
  recent_ = new QVBoxLayout;
  recent_->setSpacing(2);
  listColumn->addLayout(recovered_);
  listColumn->addLayout(recent_);
  listColumn->addStretch(1);
  auto* scroll = new QScrollArea(side);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(lists);
  column->addWidget(scroll, 1);
  column->addSpacing(space::m);
  column->addWidget(new ComputerCard(work_.session, work_.machine, side));
  return side;
}

QWidget* WelcomePage::makeMain() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(mainMargin, 32, mainMargin, mainMargin);
  column->setSpacing(space::xl);
  auto* head = new QHBoxLayout;
  auto* titles = new QVBoxLayout;
  titles->setSpacing(3);
  titles->addWidget(makeLabel(tr("Start from a template"), 1, static_cast<int>(TextRole::figure), content));
  QLabel* words = makeLabel(tr("Each template comes with a matching data set: press Train to start. Photo templates "
                               "need a folder of your own images."),
                            2, static_cast<int>(TextRole::body), content);
  words->setWordWrap(true);
  titles->addWidget(words);
  auto* field = new SearchField(tr("Search templates"), {}, content);
  field->setFixedWidth(240);
  field->setMinimumHeight(32);
  connect(field, &QLineEdit::textChanged, this, &WelcomePage::search);
  head->addLayout(titles, 1);
  head->addWidget(field, 0, Qt::AlignTop);
  column->addLayout(head);
  grid_ = new QGridLayout;
  grid_->setSpacing(space::l);
  makeCards();
  column->addLayout(grid_, 3);
  auto* drop = new FolderDrop(content);
  connect(drop, &FolderDrop::dropped, &files_, &ProjectFiles::openPath);
  connect(drop, &FolderDrop::chooseRequested, this, &WelcomePage::chooseFolder);
  column->addWidget(drop, 2);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(content);
  scroll->viewport()->setAutoFillBackground(false);
  content->setAutoFillBackground(false);
  return scroll;
}

void WelcomePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  placeCards();
}

/// As many columns as fit, at most three.
void WelcomePage::placeCards() {
  const int room = width() - sideWidth - 2 * mainMargin;
  const int columns = std::clamp((room + space::l) / (cardWidth + space::l), 1, 3);
  if (columns == columns_) return;
  columns_ = columns;
  for (qsizetype i = 0; i < places_.size(); ++i) {
    grid_->removeWidget(places_[i]);
    grid_->addWidget(places_[i], static_cast<int>(i) / columns, static_cast<int>(i) % columns);
  }
}

void WelcomePage::makeCards() {
  const auto put = [&](QWidget* card) { places_ << card; };
  for (const Template* shown : templatesShown()) {
    const Template& t = *shown;
    const QString name = QString::fromUtf8(t.name.data(), qsizetype(t.name.size()));
    auto* card =
        new TemplateCard(name, translated(t.title), translated(t.summary), translated(Text{std::string(t.data), {}}));
    connect(card, &TemplateCard::openRequested, this, [this, name] { files_.newFromTemplate(name); });
    connect(card, &TemplateCard::trainRequested, this, [this, name] {
      if (files_.newFromTemplate(name)) work_.session.run().start();
    });
    cards_ << card;
    put(card);
  }
  auto* empty = new EmptyCard;
  connect(empty, &EmptyCard::asked, &files_, &ProjectFiles::newEmpty);
  put(empty);
}

void WelcomePage::drawTemplates() {
  ++pending_;
  inBackground(
      this,
      [] {
        std::vector<Miniature> all;
        for (const Template* t : templatesShown()) {
          const GraphDoc doc = t->make();
          all.push_back(miniatureOf(doc, usualFacts(doc.data())));
        }
        return all;
      },
      [this](const std::vector<Miniature>& all) {
        for (qsizetype i = 0; i < cards_.size(); ++i) cards_[i]->setMiniature(all[std::size_t(i)]);
        --pending_;
      });
}

void WelcomePage::search(const QString& text) {
  for (TemplateCard* card : std::as_const(cards_))
    card->setVisible(text.isEmpty() || card->searchText().contains(text, Qt::CaseInsensitive));
}

void WelcomePage::chooseFolder() {
  const QString path = QFileDialog::getExistingDirectory(this, tr("Choose a folder with one subfolder per class"));
  if (!path.isEmpty()) files_.openPath(path);
}

// --- recent projects

void WelcomePage::readRecentSoon() {
  ++pending_;
  inBackground(
      this, [paths = recentProjects()] { return readRecent(paths); },
      [this](const std::vector<RecentProject>& projects) {
        showRecent(projects);
        --pending_;
      });
}

void WelcomePage::showRecent(const std::vector<RecentProject>& projects) {
  clearLayout(recent_);
  recent_->addWidget(sideTitle(tr("Recent")));
  for (const RecentProject& project : projects) {
    auto* row = new RecentRow(project);
    connect(row, &RecentRow::asked, this, [this, path = project.path] { files_.openPath(path); });
    connect(row, &RecentRow::forgetRequested, this, [this, path = project.path] {
      forgetProject(path);
      readRecentSoon();
    });
    recent_->addWidget(row);
  }
  if (projects.empty()) {
    QLabel* none =
        makeLabel(tr("Projects you open or save are listed here."), 3, static_cast<int>(TextRole::secondary));
    none->setWordWrap(true);
    none->setContentsMargins(12, 0, 12, 0);
    recent_->addWidget(none);
  }
}

void WelcomePage::showRecovered() {
  clearLayout(recovered_);
  const std::vector<RecoveredProject> found = work_.recovery.found();
  if (found.empty()) return;
  recovered_->addWidget(sideTitle(tr("Unsaved work from the last session")));
  for (const RecoveredProject& project : found) {
    auto* row = new RecoveredRow(project);
    connect(row, &RecoveredRow::openRequested, this, [this, project] {
      Result<GraphDoc> doc = work_.recovery.load(project);
      if (!doc) return void(Q_EMIT work_.session.message(translated(doc.error().what), 2));
      if (!files_.mayLeave()) return;
      work_.session.replace(*std::move(doc), project.path, project.name);
      work_.session.undoStack().resetClean();
      // the old file is removed once this window's own holds the work
      if (work_.recovery.flush()) work_.recovery.discard(project);
      Q_EMIT goTo(QStringLiteral("design"));
    });
    connect(row, &RecoveredRow::discardRequested, this, [this, project] {
      work_.recovery.discard(project);
      showRecovered();
    });
    recovered_->addWidget(row);
  }
  recovered_->addSpacing(space::m);
}

void WelcomePage::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), theme().canvas);
}

}  // namespace nw::ui
