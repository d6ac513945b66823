// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/report_pdf.hpp"
#include "app/cli/runs_commands.hpp"
#include "engine/predict/run_report.hpp"

namespace nw::cli {
namespace {

struct RunsReport {
  std::string folder, file, language = "en";
};

bool is_pdf(const RunsReport& o) {
  const std::string ending = fs::path(o.file).extension().string();
  return ending == ".pdf" || ending == ".PDF";
}

int write_report(const RunsReport& o) {
  auto page = folder_report(o.folder, o.language == "zh" ? PageLanguage::chinese : PageLanguage::english);
  if (page && is_pdf(o)) page = report_pdf(*page, o.language);
  if (!page) return report(page.error());
  if (const Status saved = save_file(o.file, *page); !saved) return report(saved.error());
  note(fmt::format("wrote {}", o.file));
  return 0;
}

}  // namespace

void add_runs_report(CLI::App& runs, Chosen& chosen) {
  auto* command = runs.add_subcommand(
      "report", "A run or a study as an HTML page or a PDF: results, curves, settings, network, hashes");
  auto o = std::make_shared<RunsReport>();
  command->add_option("FOLDER", o->folder, "The folder of a run or of a study; it is only read")->required();
  command->add_option("-o,--output", o->file, "The page to be written; a PDF if the name ends with .pdf")->required();
  command
      ->add_option("--language", o->language,
                   "The language that the page shows first (it holds both), and the one of a PDF")
      ->check(CLI::IsMember({"en", "zh"}));
  command->footer("Example: netwright-cli runs report RUN_DIR -o report.pdf --language zh");
  command->callback([=, &chosen] { chosen = [o] { return write_report(*o); }; });
}

}  // namespace nw::cli
