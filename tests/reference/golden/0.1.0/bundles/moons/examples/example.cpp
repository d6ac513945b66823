// Reads a photo with OpenCV and prints its class.
#include <fstream>
#include <iostream>
#include <iterator>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "nw_model.h"

int main(int argc, char** argv) {
#ifdef NW_WEIGHTS_FILE
  static std::vector<char> weights;
  std::ifstream file("c/nw_model.weights", std::ios::binary);
  weights.assign(std::istreambuf_iterator<char>(file), {});
  if (nw_init(weights.data(), weights.size()) != NW_OK)
    return std::cerr << "c/nw_model.weights is not the network's\n", 1;
#endif
  if (nw_selftest() != NW_OK) return std::cerr << "the self-test fails\n", 1;
  if (argc < 2) return std::cout << "self-test passed\n", 0;
  cv::Mat photo = cv::imread(argv[1], NW_CHANNELS == 1 ? cv::IMREAD_GRAYSCALE : cv::IMREAD_COLOR);
  if (photo.empty()) return std::cerr << argv[1] << " cannot be read\n", 1;
  cv::resize(photo, photo, cv::Size(NW_WIDTH, NW_HEIGHT), 0, 0, cv::INTER_AREA);
  if (NW_CHANNELS == 3) cv::cvtColor(photo, photo, cv::COLOR_BGR2RGB);
  std::vector<float> scores(NW_OUTPUTS);
  nw_predict_u8(photo.data, scores.data());
  const int best = nw_best(scores.data());
  std::cout << "class " << best << ' ' << nw_class_name(best) << '\n';
}
