// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/compare_dialog.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>
#include <memory>

#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int scopeRole = Qt::UserRole, nodeRole = Qt::UserRole + 1, kindRole = Qt::UserRole + 2;

QString string(const std::string& text) { return QString::fromStdString(text); }
QString signOf(ChangeKind kind) {
  return kind == ChangeKind::added     ? QStringLiteral("+")
         : kind == ChangeKind::removed ? QStringLiteral("−")
                                       : QStringLiteral("~");
}
QColor colourOf(ChangeKind kind) {
  return kind == ChangeKind::added ? theme().ok : kind == ChangeKind::removed ? theme().error : theme().warn;
}
QString inside(const std::string& scope, const std::string& name) {
  return string(scope.empty() ? name : name.empty() ? scope : scope + " / " + name);
}
QString portText(const std::string& node, int port) {
  return port == 0 ? string(node) : QStringLiteral("%1 (%2)").arg(string(node)).arg(port + 1);
}

/// In the present theme's colours.
void colour(QTreeWidgetItem& item) {
  const auto kind = static_cast<ChangeKind>(item.data(0, kindRole).toInt());
  item.setForeground(0, colourOf(kind));
  if (kind == ChangeKind::removed) item.setForeground(1, colourOf(kind));
  if (kind == ChangeKind::added) item.setForeground(2, colourOf(kind));
}

QTreeWidgetItem* row(QTreeWidgetItem* under, ChangeKind kind, const QString& name, const QString& before,
                     const QString& after) {
  auto* item = new QTreeWidgetItem(under, {signOf(kind) + QStringLiteral("  ") + name, before, after});
  item->setData(0, kindRole, static_cast<int>(kind));
  colour(*item);
  for (int column = 0; column < 3; ++column) item->setToolTip(column, item->text(column));
  return item;
}

}  // namespace

CompareDialog::CompareDialog(const Compared& before, const Compared& after, QWidget* parent)
    : QDialog(parent), diff_(diff(before.doc, after.doc)) {
  setObjectName(QStringLiteral("compareDialog"));
  setWindowTitle(tr("%1 and %2").arg(inOneLine(before.name), inOneLine(after.name)));
  resize(820, 560);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  const QString sentence = diff_.empty() ? tr("There is no difference.")
                                         : tr("Layers: %1 added, %2 removed, %3 changed")
                                               .arg(diff_.count(ChangeKind::added))
                                               .arg(diff_.count(ChangeKind::removed))
                                               .arg(diff_.count(ChangeKind::changed));
  QLabel* summary = makeLabel(sentence, 1, static_cast<int>(TextRole::node), this);
  summary->setObjectName(QStringLiteral("compareSummary"));
  column->addWidget(summary);
  tree_ = new QTreeWidget(this);
  tree_->setObjectName(QStringLiteral("differences"));
  tree_->setAccessibleName(tr("Differences"));
  tree_->setHeaderLabels({tr("What"), before.name, after.name});
  tree_->header()->setStretchLastSection(true);
  tree_->setUniformRowHeights(true);
  tree_->setRootIsDecorated(true);
  column->addWidget(tree_, 1);
  fill();
  tree_->expandAll();
  tree_->setColumnWidth(0, 300);
  tree_->setColumnWidth(1, 230);
  connect(tree_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    if (const qint64 node = item->data(0, nodeRole).toLongLong(); node > 0)
      Q_EMIT chosen(item->data(0, scopeRole).toString(), node);
  });
}

void CompareDialog::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() != QEvent::PaletteChange || !tree_) return;
  for (QTreeWidgetItemIterator at(tree_); *at; ++at)
    if ((*at)->data(0, kindRole).isValid()) colour(**at);
}

QTreeWidgetItem* CompareDialog::group(const QString& title, int count) {
  if (count == 0) return nullptr;
  auto* item = new QTreeWidgetItem(tree_, {title, {}, {}});
  QFont strong = ui::font(TextRole::button);
  item->setFont(0, strong);
  return item;
}

void CompareDialog::fill() {
  if (QTreeWidgetItem* layers = group(tr("Layers"), static_cast<int>(diff_.nodes.size())))
    for (const NodeChange& change : diff_.nodes) addNode(layers, change);
  if (QTreeWidgetItem* wires = group(tr("Connections"), static_cast<int>(diff_.wires.size())))
    for (const ConnectionChange& w : diff_.wires) {
      const QString text = portText(w.from, w.from_port) + QStringLiteral(" → ") + portText(w.to, w.to_port);
      row(wires, w.kind, inside(w.scope, text.toStdString()),
          w.kind == ChangeKind::removed ? tr("connected") : QStringLiteral("–"),
          w.kind == ChangeKind::added ? tr("connected") : QStringLiteral("–"));
    }
  if (QTreeWidgetItem* data = group(tr("Data"), static_cast<int>(diff_.data.size()))) addFields(data, diff_.data);
  if (QTreeWidgetItem* settings = group(tr("Training settings"), static_cast<int>(diff_.settings.size())))
    addFields(settings, diff_.settings);
}

void CompareDialog::addNode(QTreeWidgetItem* under, const NodeChange& change) {
  const QString type = string(change.type), none = QStringLiteral("–");
  QTreeWidgetItem* item =
      row(under, change.kind, inside(change.scope, change.name), change.kind == ChangeKind::added ? none : type,
          change.kind == ChangeKind::removed ? none : type);
  item->setData(0, scopeRole, string(change.scope));
  item->setData(0, nodeRole, static_cast<qint64>(change.after));
  addFields(item, change.fields);
}

void CompareDialog::addFields(QTreeWidgetItem* under, const std::vector<FieldChange>& fields) {
  const auto shown = [](const std::string& value) { return value.empty() ? tr("(default)") : string(value); };
  for (const FieldChange& f : fields) row(under, ChangeKind::changed, string(f.field), shown(f.before), shown(f.after));
}

Result<Compared> readCompared(const QString& path) {
  const QFileInfo info(path);
  if (info.isDir() || info.fileName() == QLatin1String("run.json")) {
    const QString folder = info.isDir() ? path : info.path();
    NW_ASSIGN(RunDefinition run, read_run_definition(folder.toStdString()));
    return Compared{QFileInfo(folder).fileName(), std::move(run.doc)};
  }
  NW_ASSIGN(GraphDoc doc, ProjectFile::load(path.toStdString()));
  return Compared{info.completeBaseName(), std::move(doc)};
}

void compareWith(Session& session, const QString& path, QWidget* parent) {
  inBackground(
      parent, [path] { return std::make_shared<Result<Compared>>(readCompared(path)); },
      [&session, parent](const std::shared_ptr<Result<Compared>>& other) {
        if (!*other) {
          Q_EMIT session.message(translated(other->error().what), 2);
          return;
        }
        auto* dialog = new CompareDialog(**other, {session.displayName(), session.doc()}, parent);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
      });
}

void requestComparison(Session& session, QWidget* parent) {
  const QString path =
      QFileDialog::getOpenFileName(parent, CompareDialog::tr("Compare with"), QFileInfo(session.path()).path(),
                                   CompareDialog::tr("Projects and runs (*.netwright run.json)"));
  if (!path.isEmpty()) compareWith(session, path, parent);
}

}  // namespace nw::ui
