// SPDX-License-Identifier: Apache-2.0
// Sizes and SHA-256 sums: tensorflow_datasets, the files url_checksums/<set>.txt in github.com/tensorflow/datasets
// (commits 31f1255e for mnist, 333639b3 for the others). MD5 sums: torchvision/datasets/*.py in
// github.com/pytorch/vision (commit 01977a18), for the CIFAR archives their authors' page,
// https://www.cs.toronto.edu/~kriz/cifar.html.
#include "engine/data/fetch/public_sets.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "kernels/result.hpp"

namespace nw {
namespace {

const char* const from_tfds = "tensorflow_datasets, url_checksums";

DataChoice choice_of(SourceKind kind, std::string path, std::int64_t side = 0) {
  DataChoice c;
  c.kind = kind;
  c.path = std::move(path);
  if (side > 0) c.channels = 3, c.height = c.width = side;
  return c;
}

/// The four files of MNIST's layout at several addresses.
struct IdxSums {
  std::int64_t bytes;
  const char *sha256, *md5;
};
std::vector<PublicFile> idx_files(const std::vector<std::string>& places, const IdxSums (&sums)[4]) {
  const char* const names[] = {"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz",
                               "t10k-labels-idx1-ubyte.gz"};
  std::vector<PublicFile> files;
  for (std::size_t i = 0; i < 4; ++i) {
    files.push_back({names[i], sums[i].bytes, sums[i].sha256, sums[i].md5, {}});
    for (const std::string& place : places) files.back().urls.push_back(place + names[i]);
  }
  return files;
}

std::vector<PublicSet> make_sets() {
  std::vector<PublicSet> sets;
  sets.push_back({"mnist",
                  "MNIST",
                  NW_TR("70 000 handwritten digits, 28×28×1, 10 classes"),
                  "CC BY-SA 3.0",
                  "keras.io/api/datasets/mnist",
                  from_tfds,
                  "mnist",
                  idx_files({"https://storage.googleapis.com/cvdf-datasets/mnist/",
                             "https://ossci-datasets.s3.amazonaws.com/mnist/"},
                            {{9912422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
                              "f68b3c2dcbeaaa9fbdd348bbdeb94873"},
                             {28881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
                              "d53e105ee54ea40749a09fcbcd1e9432"},
                             {1648877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
                              "9fb629c4189551a2d022fa330f9573f3"},
                             {4542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
                              "ec29112dd5afa0611ce80d1b7f02629c"}}),
                  {},
                  choice_of(SourceKind::mnist, "mnist")});
  sets.push_back({"fashion-mnist",
                  "Fashion-MNIST",
                  NW_TR("70 000 pictures of clothes, 28×28×1, 10 classes"),
                  "MIT",
                  "github.com/zalandoresearch/fashion-mnist",
                  from_tfds,
                  "fashion-mnist",
                  idx_files({"http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"},
                            {{26421880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
                              "8d4fb7e6c68d591d4c3dfef9ec88bf0d"},
                             {29515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
                              "25c81989df183df01b3e8a0aad5dffbe"},
                             {4422102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
                              "bef4ecab320f06d8554ea6380940ec79"},
                             {5148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
                              "bb300cfdad3c16e7a12a480ee83cd310"}}),
                  {},
                  choice_of(SourceKind::mnist, "fashion-mnist")});
  sets.push_back({"kmnist",
                  "Kuzushiji-MNIST",
                  NW_TR("70 000 cursive Japanese letters, 28×28×1, 10 classes"),
                  "CC BY-SA 4.0",
                  "github.com/rois-codh/kmnist",
                  from_tfds,
                  "kmnist",
                  idx_files({"http://codh.rois.ac.jp/kmnist/dataset/kmnist/"},
                            {{18165135, "51467d22d8cc72929e2a028a0428f2086b092bb31cfb79c69cc0a90ce135fde4",
                              "bdb82020997e1d708af4cf47b453dcf7"},
                             {29497, "e38f9ebcd0f3ebcdec7fc8eabdcdaef93bb0df8ea12bee65224341c8183d8e17",
                              "e144d726b3acfaa3e44228e80efcd344"},
                             {3041136, "edd7a857845ad6bb1d0ba43fe7e794d164fe2dce499a1694695a792adfac43c5",
                              "5c965bf0a639b31b8f53240b1b52f4d7"},
                             {5120, "20bb9a0ef54c7db3efc55a92eef5582c109615df22683c380526788f98e42a1c",
                              "7320c461ea6c1c855c0b718fb2a4b134"}}),
                  {},
                  choice_of(SourceKind::mnist, "kmnist")});
  sets.push_back({"cifar-10",
                  "CIFAR-10",
                  NW_TR("60 000 photos, 32×32×3, 10 classes"),
                  NW_TR("none stated"),
                  "www.cs.toronto.edu/~kriz/cifar.html",
                  from_tfds,
                  "cifar-10-batches-bin",
                  {{"cifar-10-binary.tar.gz",
                    170052171,
                    "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
                    "c32a1d4ab5d03f1284b67883e8d87530",
                    {"https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
                     "https://storage.googleapis.com/s4tf-hosted-binaries/datasets/CIFAR10/cifar-10-binary.tar.gz"}}},
                  {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin",
                   "test_batch.bin", "batches.meta.txt"},
                  choice_of(SourceKind::cifar, "cifar-10-batches-bin")});
  sets.push_back({"cifar-100",
                  "CIFAR-100",
                  NW_TR("60 000 photos, 32×32×3, 100 classes"),
                  NW_TR("none stated"),
                  "www.cs.toronto.edu/~kriz/cifar.html",
                  from_tfds,
                  "cifar-100-binary",
                  {{"cifar-100-binary.tar.gz",
                    168513733,
                    "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec",
                    "03b5dce01913d631647c71ecec9e9cb8",
                    {"https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz"}}},
                  {"train.bin", "test.bin", "fine_label_names.txt", "coarse_label_names.txt"},
                  choice_of(SourceKind::cifar, "cifar-100-binary")});
  sets.push_back(
      {"eurosat",
       "EuroSAT",
       NW_TR("27 000 satellite pictures, 64×64×3, 10 classes"),
       "MIT",
       "github.com/phelber/EuroSAT",
       from_tfds,
       "eurosat",
       {{"EuroSAT.zip",
         94280567,
         "8ebea626349354c5328b142b96d0430e647051f26efc2dc974c843f25ecf70bd",
         "",
         {"https://madm.dfki.de/files/sentinel/EuroSAT.zip", "http://madm.dfki.de/files/sentinel/EuroSAT.zip"}}},
       {},
       choice_of(SourceKind::image_folder, "eurosat/EuroSAT.zip")});
  sets.push_back({"flowers",
                  "Flower photos",
                  NW_TR("3 670 photos of many sizes, 5 classes"),
                  NW_TR("CC BY 2.0, photographers named in the archive"),
                  "LICENSE.txt in the archive",
                  from_tfds,
                  "flowers",
                  {{"flower_photos.tgz",
                    228813984,
                    "4c54ace7911aaffe13a365c34f650e71dd5bf1be0a58b464e5a7183e3e595d9c",
                    "",
                    {"https://storage.googleapis.com/download.tensorflow.org/example_images/flower_photos.tgz",
                     "http://download.tensorflow.org/example_images/flower_photos.tgz"}}},
                  {},
                  choice_of(SourceKind::image_folder, "flowers/flower_photos.tgz", 96)});
  sets.push_back({"imagenette",
                  "Imagenette, 160 px",
                  NW_TR("13 394 photos of many sizes, 10 classes"),
                  NW_TR("photos: their owners', as ImageNet's"),
                  "github.com/fastai/imagenette",
                  "torchvision, imagenette.py",
                  "imagenette",
                  {{"imagenette2-160.tgz",
                    0,
                    "",
                    "e793b78cc4c9e9a4ccc0c1155377a412",
                    {"https://s3.amazonaws.com/fast-ai-imageclas/imagenette2-160.tgz"}}},
                  {},
                  choice_of(SourceKind::image_folder, "imagenette/imagenette2-160.tgz", 96)});
  return sets;
}

}  // namespace

std::int64_t PublicSet::bytes() const {
  std::int64_t sum = 0;
  for (const PublicFile& f : files) {
    if (f.bytes == 0) return 0;
    sum += f.bytes;
  }
  return sum;
}

bool PublicSet::verifiable() const {
  return std::all_of(files.begin(), files.end(), [](const PublicFile& f) { return !f.sha256.empty(); });
}

std::span<const PublicSet> public_sets() {
  static const std::vector<PublicSet> sets = make_sets();
  return sets;
}

const PublicSet* find_public_set(std::string_view id) {
  for (const PublicSet& set : public_sets())
    if (set.id == id) return &set;
  return nullptr;
}

fs::path place_of(const PublicSet& set) {
  std::vector<fs::path> roots;
  if (const char* named = std::getenv("NETWRIGHT_DATA"); named && *named) roots.emplace_back(named);
  roots.push_back(data_folder());
  for (const fs::path& root : roots)
    if (is_complete(set, root / set.folder)) return root / set.folder;
  for (const fs::path& root : roots)
    if (::access(root.c_str(), W_OK) == 0) return root / set.folder;
  return data_folder() / set.folder;  // created by the download
}

bool is_complete(const PublicSet& set, const fs::path& folder) {
  std::error_code error;
  if (!set.unpacked.empty())
    return std::all_of(set.unpacked.begin(), set.unpacked.end(),
                       [&](const std::string& name) { return fs::is_regular_file(folder / name, error); });
  return std::all_of(set.files.begin(), set.files.end(), [&](const PublicFile& f) {
    return fs::is_regular_file(folder / f.name, error) &&
           (f.bytes == 0 || fs::file_size(folder / f.name, error) == static_cast<std::uintmax_t>(f.bytes));
  });
}

}  // namespace nw
