// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_rows.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/recognise.hpp"

namespace nw::ui {
namespace {

using C = DataChoice;
using Kind = DataRow::Kind;
using Test = std::function<bool(const C&)>;

QString tr(const char* text) { return QCoreApplication::translate("nw::ui", text); }

Test only(std::initializer_list<SourceKind> kinds) {
  return [kinds = std::vector<SourceKind>(kinds)](const C& c) {
    return std::find(kinds.begin(), kinds.end(), c.kind) != kinds.end();
  };
}

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
DataRow number(const char* id, QString section, QString label, QString help, Range r, T C::*member, Test applies = {}) {
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
  row.choices = {tr("Synthetic"), tr("MNIST"),     tr("IDX files"), tr("CIFAR"), tr("Image folder or archive"),
                 tr("CSV table"), tr("COCO list"), tr("VOC lists")};
  row.get = [](const C& c) { return DataRow::Value(static_cast<double>(c.kind)); };
  row.set = [](C& c, const DataRow::Value& v) {
    const auto kind = static_cast<SourceKind>(static_cast<int>(std::get<double>(v)));
    if (kind != c.kind) choose_kind(c, kind);
  };
  return row;
}

constexpr std::array targets = {"class", "odd", "coarse", "labels", "values"};
constexpr std::array synthetic_sets = {"digits", "shapes", "two_moons"};

/// A choice among words as files have them; a word that is none of them reads as the first.
DataRow words_row(const char* id, const QString& section, std::span<const char* const> words, std::string C::*member) {
  DataRow row;
  row.id = QLatin1String(id);
  row.section = section;
  row.kind = Kind::choice;
  row.get = [words, member](const C& c) {
    const auto at = std::find(words.begin(), words.end(), c.*member);
    return DataRow::Value(at == words.end() ? 0.0 : static_cast<double>(at - words.begin()));
  };
  row.set = [words, member](C& c, const DataRow::Value& v) {
    c.*member = words[static_cast<std::size_t>(std::get<double>(v))];
  };
  return row;
}

DataRow target_row(const QString& section) {
  DataRow row = words_row("target", section, targets, &C::target);
  row.label = tr("Learn");
  row.help =
      tr("The class; whether its number is odd (for networks with one output); CIFAR-100's 20 superclasses; or, for "
         "lists, tables and shapes, any number of labels for each image (BCEWithLogits), or numbers (MSE).");
  row.choices = {tr("The class"), tr("Odd or even"), tr("Coarse classes of CIFAR-100"),
                 tr("Labels, any number of them"), tr("Numbers")};
  return row;
}

DataRow synthetic_row(const QString& section) {
  DataRow row = words_row("synthetic_set", section, synthetic_sets, &C::synthetic_set);
  row.label = tr("What is drawn");
  row.help =
      tr("Digits of 28×28; circles, squares and triangles in colour of 32×32, also to learn labels or place and size; "
         "or points of two moons, two numbers each, for a perceptron.");
  row.choices = {tr("Digits"), tr("Shapes"), tr("Two moons")};
  row.applies = only({SourceKind::synthetic});
  return row;
}

bool is_archive(const std::string& path) {
  const QString name = QString::fromStdString(path).toLower();
  return name.endsWith(QLatin1String(".zip")) || name.endsWith(QLatin1String(".tar")) ||
         name.endsWith(QLatin1String(".tgz")) || name.endsWith(QLatin1String(".tar.gz"));
}

void add_source(std::vector<DataRow>& rows) {
  using K = SourceKind;
  const QString section = tr("Source"), found = tr("found automatically"), held = tr("held out of training");
  rows.push_back(source_row(section));
  rows.push_back(synthetic_row(section));
  rows.push_back(text_row("folder", section, tr("Folder"), tr("Empty: searched in the usual folders of data sets."),
                          Kind::folder, found, &C::path, only({K::mnist, K::cifar})));
  rows.push_back(text_row("images", section, tr("Images"), tr("IDX file with the training images, .gz or not."),
                          Kind::file, tr("choose a file"), &C::path, only({K::idx})));
  rows.push_back(text_row("labels", section, tr("Labels"), tr("IDX file with their classes."), Kind::file,
                          tr("choose a file"), &C::labels_path, only({K::idx})));
  rows.push_back(text_row("test_images", section, tr("Test images"),
                          tr("Empty: a part of the training images is held out."), Kind::file, held, &C::test_path,
                          only({K::idx})));
  rows.push_back(text_row("test_labels", section, tr("Test labels"),
                          tr("IDX file with the classes of the test images."), Kind::file, held, &C::test_labels_path,
                          [](const C& c) { return c.kind == K::idx && !c.test_path.empty(); }));
  rows.push_back(text_row(
      "train_folder", section, tr("Folder"),
      tr("One folder of images for each class. Photos are not turned by their EXIF, as torchvision turns none."),
      Kind::folder, tr("choose a folder"), &C::path, only({K::image_folder})));
  rows.back().get = [](const C& c) {
    return DataRow::Value(is_archive(c.path) ? QString() : QString::fromStdString(c.path));
  };
  rows.push_back(text_row("archive", section, tr("Or archive"),
                          tr("The same in a .zip, .tar or .tar.gz file; it is read in place, nothing is unpacked."),
                          Kind::file, tr("choose a file"), &C::path, only({K::image_folder})));
  rows.back().get = [](const C& c) {
    return DataRow::Value(is_archive(c.path) ? QString::fromStdString(c.path) : QString());
  };
  rows.push_back(text_row("test_folder", section, tr("Test folder"),
                          tr("Empty: a part of the training images is held out."), Kind::folder, held, &C::test_path,
                          only({K::image_folder})));
  rows.push_back(text_row("file", section, tr("File"), tr("A line per image: its class, and its pixels or its path."),
                          Kind::file, tr("choose a file"), &C::path, only({K::csv})));
  rows.push_back(text_row("coco_file", section, tr("List"), tr("COCO's JSON: images, annotations, categories."),
                          Kind::file, tr("choose a file"), &C::path, only({K::coco})));
  rows.push_back(text_row(
      "voc_folder", section, tr("Folder"),
      tr("The folder with ImageSets and JPEGImages, or one class' list, such as cat_train.txt: that class or not."),
      Kind::folder, tr("choose a folder"), &C::path, only({K::voc})));
  rows.push_back(text_row("test_file", section, tr("Test file"),
                          tr("Empty: a part of the training images is held out."), Kind::file, held, &C::test_path,
                          only({K::csv, K::coco, K::voc})));
  rows.push_back(text_row("target_column", section, tr("Column"),
                          tr("Name of the column to be learned; for labels and numbers several, separated by commas."),
                          Kind::text, tr("label, class or target"), &C::target_column, only({K::csv})));
  const Test shaped = only({K::image_folder, K::csv, K::coco, K::voc});
  rows.push_back(number("width", section, tr("Width"), tr("Images are resized to it."),
                        {0, 4096, 1, tr("as found"), tr("px")}, &C::width, shaped));
  rows.push_back(number("height", section, tr("Height"), tr("Images are resized to it."),
                        {0, 4096, 1, tr("as found"), tr("px")}, &C::height, shaped));
  rows.push_back(number("channels", section, tr("Channels"), tr("1 is grey, 3 is colour."), {0, 3, 1, tr("as found")},
                        &C::channels, shaped));
  rows.push_back(number("synthetic_train", section, tr("Training"), tr("Images drawn for training and validation."),
                        {10, 1000000, 1000, {}, tr("images")}, &C::synthetic_train, only({K::synthetic})));
  rows.push_back(number("synthetic_test", section, tr("Test"), tr("Images drawn for the test."),
                        {10, 1000000, 1000, {}, tr("images")}, &C::synthetic_test, only({K::synthetic})));
  rows.push_back(target_row(section));
}

/// What must not be torn apart: names as in files, then what people read.
DataRow group_row(const QString& section) {
  static constexpr std::array<const char*, 3> names = {"", "folder", "name"};
  DataRow row = words_row("group_by", section, names, &C::group_by);
  row.label = tr("Keep together");
  row.help =
      tr("Images of one folder, or whose file names are the same up to the first _ or -, all go into the same part: of "
         "one patient, one film, one day.");
  row.choices = {tr("Nothing"), tr("Images of one folder"), tr("Names up to _ or -")};
  row.applies = [](const C& c) {
    return c.split_file.empty() && (c.kind == SourceKind::image_folder || c.kind == SourceKind::csv ||
                                    c.kind == SourceKind::coco || c.kind == SourceKind::voc);
  };
  return row;
}

void add_split(std::vector<DataRow>& rows) {
  const QString section = tr("Split");
  const Test own_test = only({SourceKind::synthetic, SourceKind::mnist, SourceKind::cifar});
  const Test drawn = [](const C& c) { return c.split_file.empty(); };
  const Test holds_out = [own_test](const C& c) { return !own_test(c) && c.test_path.empty() && c.split_file.empty(); };
  rows.push_back(number("validation_fraction", section, tr("Validation"),
                        tr("Fraction of the training images held out for validation."),
                        {0, 90, 5, tr("none"), QStringLiteral("%"), 100}, &C::validation_fraction, drawn));
  rows.push_back(number("test_fraction", section, tr("Test"), tr("Share held out for the test."),
                        {0, 90, 5, tr("none"), QStringLiteral("%"), 100}, &C::test_fraction, holds_out));
  rows.push_back(toggle("stratified", section, tr("Same classes"), tr("Every class has the same share in each part."),
                        &C::stratified));
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
  rows.push_back(toggle("normalize", tr("Normalisation"), tr("Normalise"),
                        tr("Per channel: minus the mean, over the deviation, both of the training images."),
                        &C::normalize));
  return rows;
}

void choose_kind(DataChoice& c, SourceKind kind) {
  using K = SourceKind;
  c.kind = kind;
  for (std::string* path : {&c.path, &c.labels_path, &c.test_path, &c.test_labels_path}) path->clear();
  const bool classes_only = kind == K::mnist || kind == K::idx || kind == K::cifar || kind == K::image_folder;
  if (classes_only && target_kind(c) != TargetKind::classes) c.target = "class";
}

QString synthetic_name(const DataChoice& c) {
  return c.synthetic_set == "shapes"      ? tr("Synthetic shapes")
         : c.synthetic_set == "two_moons" ? tr("Two moons")
                                          : tr("Synthetic digits");
}

DataChoice choice_for(const QString& path, const DataChoice& current) {
  DataChoice c = current;
  const QFileInfo info(path);
  c.path = path.toStdString();
  c.labels_path.clear(), c.test_path.clear(), c.test_labels_path.clear();
  if (const auto kind = recognise(c.path))
    c.kind = *kind;
  else if (info.isDir())
    c.kind = SourceKind::image_folder;
  if (c.kind == SourceKind::idx) {
    const QString labels = info.dir().filePath(info.fileName()
                                                   .replace(QLatin1String("images"), QLatin1String("labels"))
                                                   .replace(QLatin1String("idx3"), QLatin1String("idx1")));
    if (QFileInfo::exists(labels)) c.labels_path = labels.toStdString();
  }
  return c;
}

}  // namespace nw::ui
