// SPDX-License-Identifier: GPL-3.0-or-later
// Qt is not compiled with the thread sanitizer, which therefore does not see that what one thread hands to another by a
// posted event or a pool of threads is written before it is read. The functions of Qt that do this for our code stand
// here once more and are found before Qt's: each tells the sanitizer and calls Qt's own. What two threads of ours use
// without such a hand-over or a lock is reported.
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <sched.h>

#include <QFutureInterface>
#include <QMetaObject>
#include <QRunnable>
#include <QThreadPool>
#include <cstdarg>
#include <utility>

namespace {

/// Qt's own function, by its name as the linker sees it.
template <class Function>
Function* qtFunction(const char* symbol) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, symbol));
}

/// A call that may run on another thread, and be destroyed on either.
class HandedCall : public QtPrivate::QSlotObjectBase {
 public:
  explicit HandedCall(QSlotObjectBase* call) : QSlotObjectBase(&perform), call_(call) { __tsan_release(this); }

 private:
  static void perform(int what, QSlotObjectBase* self, QObject* receiver, void** arguments, bool*) {
    auto* handed = static_cast<HandedCall*>(self);
    __tsan_acquire(self);
    if (what == Call) handed->call_->call(receiver, arguments);
    __tsan_release(self);
    if (what != Destroy) return;
    handed->call_->destroyIfLastRef();
    delete handed;
  }
  QSlotObjectBase* const call_;
};

/// Work that a thread of a pool does.
class HandedWork : public QRunnable {
 public:
  HandedWork(QRunnable* work, QThreadPool* pool) : work_(work), pool_(pool), owned_(work->autoDelete()) {
    __tsan_release(this);
  }
  ~HandedWork() override {
    if (owned_) delete work_;
    __tsan_release(pool_);
  }
  void run() override {
    __tsan_acquire(this);
    work_->run();
  }

 private:
  QRunnable* const work_;
  QThreadPool* const pool_;
  const bool owned_;
};

}  // namespace

bool QMetaObject::invokeMethodImpl(QObject* object, QtPrivate::QSlotObjectBase* call, Qt::ConnectionType type,
                                   void* result) {
  static auto* const qts = qtFunction<bool(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*)>(
      "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv");
  return qts(object, new HandedCall(call), type, result);
}

void QThreadPool::start(QRunnable* work, int priority) {
  static auto* const qts = qtFunction<void(QThreadPool*, QRunnable*, int)>("_ZN11QThreadPool5startEP9QRunnablei");
  qts(this, new HandedWork(work, this), priority);
}

void QThreadPool::start(std::function<void()> work, int priority) {
  start(QRunnable::create(std::move(work)), priority);
}

bool QThreadPool::waitForDone(int milliseconds) {
  static auto* const qts = qtFunction<bool(QThreadPool*, int)>("_ZN11QThreadPool11waitForDoneEi");
  const bool done = qts(this, milliseconds);
  __tsan_acquire(this);
  return done;
}

/// Whoever lets go of a future last destroys its result.
bool QFutureInterfaceBase::derefT() const noexcept {
  static auto* const qts = qtFunction<bool(const QFutureInterfaceBase*)>("_ZNK20QFutureInterfaceBase6derefTEv");
  __tsan_release(&mutex());
  const bool held = qts(this);
  __tsan_acquire(&mutex());
  return held;
}

/// The sanitizer's clone().
extern "C" int __interceptor_clone(int (*)(void*), void*, int, void*, pid_t*, void*, pid_t*);

/// QProcess lets a child work in the memory of its parent until it starts its program, where it would change what the
/// sanitizer knows of the parent's thread: here it gets memory of its own.
extern "C" int clone(int (*child)(void*), void* stack, int flags, void* argument, ...) noexcept {
  va_list more;
  va_start(more, argument);
  auto* parent = va_arg(more, pid_t*);
  void* local = va_arg(more, void*);
  auto* own = va_arg(more, pid_t*);
  va_end(more);
  return __interceptor_clone(child, stack, flags & ~CLONE_VM, argument, parent, local, own);
}
