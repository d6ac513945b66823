// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segment_accessible.hpp"

#include <QAccessibleWidget>
#include <QPointer>
#include <vector>

#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class AccessibleSegment final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  AccessibleSegment(SegmentedControl* control, int index) : control_(control), index_(index) {}
  bool isValid() const override { return control_ && index_ < control_->count(); }
  QObject* object() const override { return nullptr; }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(control_.data()); }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  QAccessibleInterface* child(int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  void setText(QAccessible::Text, const QString&) override {}
  QAccessible::Role role() const override { return QAccessible::PageTab; }
  QString text(QAccessible::Text kind) const override {
    return isValid() && kind == QAccessible::Name ? control_->segmentText(index_) : QString();
  }
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect segment = control_->segmentRect(index_).toRect();
    return {control_->mapToGlobal(segment.topLeft()), segment.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State s;
    if (!isValid()) return s;
    s.selectable = s.focusable = true;
    s.selected = control_->current() == index_;
    s.focused = s.selected && control_->hasFocus();
    s.disabled = !control_->isEnabled();
    s.invisible = !control_->isVisible();
    return s;
  }
  QStringList actionNames() const override { return {pressAction()}; }
  QStringList keyBindingsForAction(const QString&) const override { return {}; }
  void doAction(const QString& action) override {
    if (isValid() && control_->isEnabled() && action == pressAction()) control_->setCurrent(index_);
  }

 private:
  QPointer<SegmentedControl> control_;
  int index_;
};

class AccessibleControl final : public QAccessibleWidget {
 public:
  explicit AccessibleControl(SegmentedControl* control) : QAccessibleWidget(control, QAccessible::PageTabList) {}
  ~AccessibleControl() override {
    for (const QAccessible::Id id : segments_) QAccessible::deleteAccessibleInterface(id);
  }
  int childCount() const override { return control() ? control()->count() : 0; }
  QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) return nullptr;
    while (static_cast<int>(segments_.size()) <= index)
      segments_.push_back(QAccessible::registerAccessibleInterface(
          new AccessibleSegment(control(), static_cast<int>(segments_.size()))));
    return QAccessible::accessibleInterface(segments_[static_cast<std::size_t>(index)]);
  }
  int indexOfChild(const QAccessibleInterface* wanted) const override {
    for (int i = 0; i < childCount(); ++i)
      if (child(i) == wanted) return i;
    return -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    for (int i = 0; i < childCount(); ++i)
      if (child(i)->rect().contains(x, y)) return child(i);
    return nullptr;
  }
  QAccessibleInterface* focusChild() const override {
    return control() && control()->hasFocus() ? child(control()->current()) : nullptr;
  }

 private:
  SegmentedControl* control() const { return qobject_cast<SegmentedControl*>(widget()); }
  mutable std::vector<QAccessible::Id> segments_;
};

QAccessibleInterface* make(const QString&, QObject* object) {
  auto* control = qobject_cast<SegmentedControl*>(object);
  return control ? new AccessibleControl(control) : nullptr;
}

}  // namespace

void installSegmentAccessibility() {
  static const bool once = [] {
    QAccessible::installFactory(make);
    return true;
  }();
  (void)once;
}

}  // namespace nw::ui
