// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/exclusion.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <tuple>

#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

struct ExclusionTexts {
  Q_DECLARE_TR_FUNCTIONS(Exclusion)
};

std::vector<std::string> plain(const QStringList& names) {
  std::vector<std::string> out;
  for (const QString& n : names) out.push_back(n.toStdString());
  return out;
}

bool pushed(Session& session, const DataChoice& choice, const QString& text) {
  return choice != session.doc().data() && session.push({PutData{choice}}, text);
}

}  // namespace

bool isExcluded(const Session& session, const QString& name) {
  const std::vector<std::string>& all = session.doc().data().excluded;
  return std::binary_search(all.begin(), all.end(), name.toStdString());
}

bool excludeSamples(Session& session, const QStringList& names) {
  DataChoice choice = session.doc().data();
  exclude(choice, plain(names));
  return pushed(session, choice, ExclusionTexts::tr("Exclude %n image(s)", nullptr, static_cast<int>(names.size())));
}

bool includeSamples(Session& session, const QStringList& names) {
  DataChoice choice = session.doc().data();
  include(choice, plain(names));
  return pushed(session, choice,
                ExclusionTexts::tr("Include %n image(s) again", nullptr, static_cast<int>(names.size())));
}

bool readsSameData(const Session& session, const DataChoice& run) {
  const DataChoice& mine = session.doc().data();
  const auto place = [](const DataChoice& c) {
    return std::tie(c.kind, c.path, c.labels_path, c.test_path, c.test_labels_path, c.synthetic_train,
                    c.synthetic_test);
  };
  return place(mine) == place(run);
}

qint64 excludedCount(const Session& session) { return static_cast<qint64>(session.doc().data().excluded.size()); }

}  // namespace nw::ui
