// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_rows.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/recognise.hpp"
#include "engine/design/data_source.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

using C = DataChoice;
using Kind = DataRow::Kind;
using Test = std::function<bool(const C&)>;

QString tr(const char* text) { return QCoreApplication::translate("nw::ui", text); }

QString engineText(const char* english) { return translated(text(english)); }

const DataSource* sourceOf(const C& c) { return find_source(c.kind.name()); }

DataRow text_row(const char* id, QString section, QString label, QString help, Kind kind, QString empty,
                 std::string C::*member, Test applies) {
  DataRow row;
  row.id = QLatin1String(id);
  row.section = std::move(section);
  row.label = std::move(label);
  row.help = std::move(help);
  row.kind = kind;
  row.zero = std::move(empty);
  row.get = [member](const C& c) { return DataRow::Value(QString::fromStdString(c.*member)); };
  row.set = [member](C& c, const DataRow::Value& v) { c.*member = std::get<QString>(v).toStdString(); };
  row.applies = std::move(applies);
  return row;
}

struct Range {
  double lo, hi, step;
  QString zero = {}, unit = {};
  double factor = 1;
};

template <class T>
DataRow number(const char* id, QString section, QString label, QString help, const Range& r, T C::*member,
               Test applies = {}) {
  DataRow row;
  row.id = QLatin1String(id);
  row.section = std::move(section);
  row.label = std::move(label);
  row.help = std::move(help);
  row.kind = Kind::number;
  row.lo = r.lo, row.hi = r.hi, row.step = r.step;
  row.zero = r.zero, row.unit = r.unit;
  row.get = [member, f = r.factor](const C& c) {
    return DataRow::Value(std::round(static_cast<double>(c.*member) * f * 1e6) / 1e6);
  };
  row.set = [member, f = r.factor](C& c, const DataRow::Value& v) {
    c.*member = static_cast<T>(std::get<double>(v) / f);
  };
  row.applies = std::move(applies);
  return row;
}

DataRow toggle(const char* id, QString section, QString label, QString help, bool C::*member, Test applies = {}) {
  DataRow row;
  row.id = QLatin1String(id);
  row.section = std::move(section);
  row.label = std::move(label);
  row.help = std::move(help);
  row.kind = Kind::toggle;
  row.get = [member](const C& c) { return DataRow::Value(c.*member ? 1.0 : 0.0); };
  row.set = [member](C& c, const DataRow::Value& v) { c.*member = std::get<double>(v) != 0; };
  row.applies = std::move(applies);
  return row;
}

DataRow source_row(const QString& section) {
  DataRow row;
  row.id = QStringLiteral("kind");
  row.section = section;
  row.label = tr("Kind");
  row.help = tr("Where images and classes come from.");
  row.kind = Kind::choice;
  for (const DataSource* source : all_sources()) row.choices << engineText(source->title);
  row.get = [](const C& c) {
    const auto all = all_sources();
    return DataRow::Value(static_cast<double>(std::find(all.begin(), all.end(), sourceOf(c)) - all.begin()));
  };
  row.set = [](C& c, const DataRow::Value& v) {
    const SourceKind kind = all_sources()[static_cast<std::size_t>(std::get<double>(v))]->kind;
    if (!(kind == c.kind)) choose_kind(c, kind);
  };
  return row;
}

/// A value as stored in files, and its text in the window.
struct Word {
  std::string word;
  QString title;
};

/// A choice among values; an unknown value is shown as the first.
DataRow words_row(const QString& id, const QString& section, const std::vector<Word>& words, std::string C::*member) {
  DataRow row;
  row.id = id;
  row.section = section;
  row.kind = Kind::choice;
  for (const Word& w : words) row.choices << w.title;
  row.get = [words, member](const C& c) {
    const auto at = std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.word == c.*member; });
    return DataRow::Value(at == words.end() ? 0.0 : static_cast<double>(at - words.begin()));
  };
  row.set = [words, member](C& c, const DataRow::Value& v) {
    c.*member = words[static_cast<std::size_t>(std::get<double>(v))].word;
  };
  return row;
}

DataRow target_row(const QString& section) {
  DataRow row = words_row(QStringLiteral("target"), section,
                          {{"class", tr("The class")},
                           {"odd", tr("Odd or even")},
                           {"coarse", tr("Coarse classes of CIFAR-100")},
                           {"labels", tr("Labels (multi-label)")},
                           {"values", tr("Numbers")}},
                          &C::target);
  row.label = tr("Learn");
  row.help =
      tr("The class; whether its number is odd (for networks with one output); CIFAR-100's 20 superclasses; or, for "
         "lists, tables and shapes, any number of labels for each image (BCEWithLogits), or numbers (MSE).");
  return row;
}

DataRow number_row(const SourceOption& o, const QString& section) {
  return number(o.id, section, engineText(o.label), engineText(o.help),
                {o.lo, o.hi, o.step, *o.empty != 0 ? engineText(o.empty) : QString(),
                 *o.unit != 0 ? engineText(o.unit) : QString()},
                o.number);
}

DataRow choice_row(const SourceOption& o, const QString& section) {
  std::vector<Word> words;
  for (const SourceOption::Word& w : o.words) words.push_back({std::string(w.word), engineText(w.title)});
  DataRow row = words_row(QLatin1String(o.id), section, words, o.text);
  row.label = engineText(o.label);
  row.help = engineText(o.help);
  return row;
}

DataRow path_row(const SourceOption& o, const QString& section, Kind kind) {
  DataRow row = text_row(o.id, section, engineText(o.label), engineText(o.help), kind,
                         *o.empty != 0 ? engineText(o.empty) : QString(), o.text, {});
  row.get = [member = o.text, shows = o.shows](const C& c) {
    return DataRow::Value(!shows || shows(c) ? QString::fromStdString(c.*member) : QString());
  };
  return row;
}

DataRow option_row(const SourceOption& o, const QString& section) {
  switch (o.kind) {
    case SourceOption::Kind::folder:
      return path_row(o, section, Kind::folder);
    case SourceOption::Kind::file:
      return path_row(o, section, Kind::file);
    case SourceOption::Kind::text:
      return path_row(o, section, Kind::text);
    case SourceOption::Kind::number:
      return number_row(o, section);
    case SourceOption::Kind::choice:
      break;
  }
  return choice_row(o, section);
}

/// Every option once, in an order that keeps that of each source: an unknown one goes before the next known one.
std::vector<const SourceOption*> sourceOptions() {
  std::vector<const SourceOption*> all;
  const auto known = [&](const SourceOption& o) {
    return std::find_if(all.begin(), all.end(), [&](const SourceOption* k) { return std::string_view(k->id) == o.id; });
  };
  for (const DataSource* source : all_sources())
    for (std::size_t i = 0; i < source->options.size(); ++i) {
      if (known(source->options[i]) != all.end()) continue;
      auto before = all.end();
      for (std::size_t next = i + 1; before == all.end() && next < source->options.size(); ++next)
        before = known(source->options[next]);
      all.insert(before, &source->options[i]);
    }
  return all;
}

void add_source(std::vector<DataRow>& rows) {
  const QString section = tr("Source");
  rows.push_back(source_row(section));
  for (const SourceOption* o : sourceOptions()) {
    rows.push_back(option_row(*o, section));
    rows.back().applies = [id = std::string_view(o->id)](const C& c) {
      const DataSource* source = sourceOf(c);
      const SourceOption* own = source ? find_option(*source, id) : nullptr;
      return own && (!own->applies || own->applies(c));
    };
  }
  rows.push_back(target_row(section));
}

/// The choice of groups that must stay in one split.
DataRow group_row(const QString& section) {
  DataRow row = words_row(
      QStringLiteral("group_by"), section,
      {{"", tr("Nothing")}, {"folder", tr("Images of one folder")}, {"name", tr("Names up to _ or -")}}, &C::group_by);
  row.label = tr("Keep together");
  row.help = tr(
      "Images of one folder, or whose file names are the same up to the first _ or -, all go into the same split: of "
      "one patient, one film, one day.");
  row.applies = [](const C& c) {
    const DataSource* source = sourceOf(c);
    return c.split_file.empty() && source && source->lists_files;
  };
  return row;
}

void add_split(std::vector<DataRow>& rows) {
  const QString section = tr("Split");
  const Test drawn = [](const C& c) { return c.split_file.empty(); };
  const Test holds_out = [](const C& c) {
    const DataSource* source = sourceOf(c);
    return !(source && source->built_in) && c.test_path.empty() && c.split_file.empty();
  };
  rows.push_back(number("validation_fraction", section, tr("Validation"),
                        tr("Fraction of the training images held out for validation."),
                        {0, 90, 5, tr("none"), QStringLiteral("%"), 100}, &C::validation_fraction, drawn));
  rows.push_back(number("test_fraction", section, tr("Test"), tr("Fraction of the images held out for the test."),
                        {0, 90, 5, tr("none"), QStringLiteral("%"), 100}, &C::test_fraction, holds_out));
  rows.push_back(toggle("stratified", section, tr("Same classes"),
                        tr("Every class has the same proportion in every split."), &C::stratified));
  rows.back().applies = drawn;
  rows.push_back(group_row(section));
  rows.push_back(number("split_seed", section, tr("Seed"), tr("Determines the split."), {0, 2147483647, 1},
                        &C::split_seed, drawn));
  rows.push_back(text_row("split_file", section, tr("By a table"),
                          tr("A table with the columns path and split (train, validation, test or none) that assigns "
                             "each image to a split."),
                          Kind::file, tr("drawn by the seed"), &C::split_file, {}));
}

}  // namespace

std::vector<DataRow> dataRows() {
  std::vector<DataRow> rows;
  add_source(rows);
  add_split(rows);
  rows.push_back(toggle("normalize", tr("Normalization"), tr("Normalize"),
                        tr("Per channel: minus the mean, divided by the standard deviation, both of the training set."),
                        &C::normalize));
  return rows;
}

namespace {

/// Whether a source may read this path: it recognises it, or it reads a folder of the user's choice.
bool fits(const DataSource* source, const std::string& path) {
  if (!source || path.empty()) return false;
  if (source->recognize && source->recognize(path)) return true;
  const auto reads_folder = [](const SourceOption& o) {
    return o.kind == SourceOption::Kind::folder && o.text == &DataChoice::path;
  };
  return !source->built_in && QFileInfo(QString::fromStdString(path)).isDir() &&
         std::any_of(source->options.begin(), source->options.end(), reads_folder);
}

}  // namespace

void follow_path(DataChoice& c) {
  const auto kind = c.path.empty() ? std::nullopt : recognise(c.path, c.kind);
  if (!kind || *kind == c.kind) return;
  const std::string path = c.path;
  choose_kind(c, *kind);
  c.path = path;
}

void choose_kind(DataChoice& c, SourceKind kind) {
  c.kind = kind;
  const DataSource* source = sourceOf(c);
  for (std::string* path : {&c.labels_path, &c.test_path, &c.test_labels_path}) path->clear();
  if (!fits(source, c.path)) c.path.clear();
  if (!c.path.empty() && source->complete) source->complete(c);
  if (source && source->classes_only && target_kind(c) != TargetKind::classes) c.target = "class";
}

QString described(const DataChoice& c) {
  const DataSource* source = sourceOf(c);
  return source && source->describe
             ? translated(source->describe(c))
             : QString::fromStdString(c.path).section(QLatin1Char('/'), -1, -1, QString::SectionSkipEmpty);
}

DataChoice choice_for(const QString& path, const DataChoice& current) {
  DataChoice c = current;
  c.path = path.toStdString();
  c.labels_path.clear(), c.test_path.clear(), c.test_labels_path.clear();
  if (const auto kind = recognise(c.path))
    c.kind = *kind;
  else if (QFileInfo(path).isDir())
    c.kind = SourceKind::image_folder;
  if (const DataSource* source = sourceOf(c); source && source->complete) source->complete(c);
  return c;
}

}  // namespace nw::ui
