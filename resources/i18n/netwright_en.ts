<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en">
<context>
    <name>CompressSteps</name>
    <message numerus="yes">
        <source>Prune %n layer(s)</source>
        <translation>
            <numerusform>Prune %n layer</numerusform>
            <numerusform>Prune %n layers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message numerus="yes">
        <source>%1 image(s), %2 a step</source>
        <translation>
            <numerusform>%1 image, %2 a step</numerusform>
            <numerusform>%1 images, %2 a step</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Exclusion</name>
    <message numerus="yes">
        <source>Exclude %n image(s)</source>
        <translation>
            <numerusform>Exclude %n image</numerusform>
            <numerusform>Exclude %n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Include %n image(s) again</source>
        <translation>
            <numerusform>Include %n image again</numerusform>
            <numerusform>Include %n images again</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message numerus="yes">
        <source>%1 duplicate(s) of one image</source>
        <translation>
            <numerusform>%1 duplicate of one image</numerusform>
            <numerusform>%1 duplicates of one image</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 near-duplicate image(s), similarity %2</source>
        <translation>
            <numerusform>%1 near-duplicate image, similarity %2</numerusform>
            <numerusform>%1 near-duplicate images, similarity %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NetworkExport</name>
    <message numerus="yes">
        <source>%n weight(s), read again bit by bit.</source>
        <translation>
            <numerusform>%n weight, read again bit by bit.</numerusform>
            <numerusform>%n weights, read again bit by bit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 compute the same: outputs differ by at most %2, and the class is the same for %3 of %n image(s).</source>
        <translation>
            <numerusform>%1 compute the same: outputs differ by at most %2, and the class is the same for %3 of %n image.</numerusform>
            <numerusform>%1 compute the same: outputs differ by at most %2, and the class is the same for %3 of %n images.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In int8, as %1 compute it, outputs differ from fp32 by at most %2, and the class is the same for %3 of %n image(s).</source>
        <translation>
            <numerusform>In int8, as %1 compute it, outputs differ from fp32 by at most %2, and the class is the same for %3 of %n image.</numerusform>
            <numerusform>In int8, as %1 compute it, outputs differ from fp32 by at most %2, and the class is the same for %3 of %n images.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>canvas</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 filter(s)</source>
        <translation>
            <numerusform>%1 filter</numerusform>
            <numerusform>%1 filters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 unit(s)</source>
        <translation>
            <numerusform>%1 unit</numerusform>
            <numerusform>%1 units</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 channel(s)</source>
        <translation>
            <numerusform>%1 channel</numerusform>
            <numerusform>%1 channels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 class(es)</source>
        <translation>
            <numerusform>%1 class</numerusform>
            <numerusform>%1 classes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::BestLegend</name>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n epoch</numerusform>
            <numerusform>%n epochs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::BranchDialog</name>
    <message numerus="yes">
        <source>All %n weight(s) are carried over.</source>
        <translation>
            <numerusform>%n weight is carried over.</numerusform>
            <numerusform>All %n weights are carried over.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n weight(s) are carried over, the others begin anew.</source>
        <translation>
            <numerusform>%1 of %n weight is carried over, the others begin anew.</numerusform>
            <numerusform>%1 of %n weights are carried over, the others begin anew.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::ChannelRow</name>
    <message numerus="yes">
        <source>All %n channel(s) stay: others need them</source>
        <translation>
            <numerusform>All %n channel stays: others need it</numerusform>
            <numerusform>All %n channels stay: others need them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n channel(s)</source>
        <translation>
            <numerusform>%n channel</numerusform>
            <numerusform>%n channels</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::CheckPanel</name>
    <message numerus="yes">
        <source>%1 image(s) checked</source>
        <translation>
            <numerusform>%1 image checked</numerusform>
            <numerusform>%1 images checked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n finding(s).</source>
        <translation>
            <numerusform>%1, %n finding.</numerusform>
            <numerusform>%1, %n findings.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 image(s) are excluded from training, validation and test.</source>
        <translation>
            <numerusform>%1 image is excluded from training, validation and test.</numerusform>
            <numerusform>%1 images are excluded from training, validation and test.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::ClassLegend</name>
    <message numerus="yes">
        <source>%n more class(es)</source>
        <translation>
            <numerusform>%n more class</numerusform>
            <numerusform>%n more classes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::DataChip</name>
    <message numerus="yes">
        <source>%1 image(s) · %2×%3×%4</source>
        <translation>
            <numerusform>%1 image · %2×%3×%4</numerusform>
            <numerusform>%1 images · %2×%3×%4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::DesignStatus</name>
    <message numerus="yes">
        <source>Estimated from a short training run on this computer: %1 image(s) per second</source>
        <translation>
            <numerusform>Estimated from a short training run on this computer: %1 image per second</numerusform>
            <numerusform>Estimated from a short training run on this computer: %1 images per second</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Measured by the last run of this network: %1 image(s) a second, %2 of memory
%3</source>
        <translation>
            <numerusform>Measured by the last run of this network: %1 image a second, %2 of memory
%3</numerusform>
            <numerusform>Measured by the last run of this network: %1 images a second, %2 of memory
%3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Computed from the network&apos;s multiply-adds and the speed of this computer with a small network: %1 image(s) per second. Measure trains this network for a second.</source>
        <translation>
            <numerusform>Computed from the network&apos;s multiply-adds and the speed of this computer with a small network: %1 image per second. Measure trains this network for a second.</numerusform>
            <numerusform>Computed from the network&apos;s multiply-adds and the speed of this computer with a small network: %1 images per second. Measure trains this network for a second.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::DeviceChips</name>
    <message numerus="yes">
        <source>The CPU as %n device(s)</source>
        <translation>
            <numerusform>The CPU as %n device</numerusform>
            <numerusform>The CPU as %n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::DoctorPanel</name>
    <message numerus="yes">
        <source>%n finding(s), examined after every epoch.</source>
        <translation>
            <numerusform>%n finding, examined after every epoch.</numerusform>
            <numerusform>%n findings, examined after every epoch.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing found: %n check(s) are clean.</source>
        <translation>
            <numerusform>Nothing found: %n check is clean.</numerusform>
            <numerusform>Nothing found: %n checks are clean.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::EventList</name>
    <message numerus="yes">
        <source>%n finding(s)</source>
        <translation>
            <numerusform>%n finding</numerusform>
            <numerusform>%n findings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::Explorer</name>
    <message numerus="yes">
        <source>%1 image(s)</source>
        <translation>
            <numerusform>%1 image</numerusform>
            <numerusform>%1 images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 image(s)</source>
        <translation>
            <numerusform>%1 of %2 image</numerusform>
            <numerusform>%1 of %2 images</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::ExplorerOrders</name>
    <message numerus="yes">
        <source>Measuring %1 of %2 image(s)</source>
        <translation>
            <numerusform>Measuring %1 of %2 image</numerusform>
            <numerusform>Measuring %1 of %2 images</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::Inspector</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Used in %n place(s); all change with it.</source>
        <translation>
            <numerusform>Drawn in %n place.</numerusform>
            <numerusform>Drawn in %n places; all follow it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::JobsPanel</name>
    <message numerus="yes">
        <source>%n not ended</source>
        <translation>
            <numerusform>%n not ended</numerusform>
            <numerusform>%n not ended</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::LaneHeader</name>
    <message numerus="yes">
        <source>%n layer(s): %1</source>
        <translation>
            <numerusform>%n layer: %1</numerusform>
            <numerusform>%n layers: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::LayerBoard</name>
    <message numerus="yes">
        <source>The run&apos;s statistics.jsonl is damaged: %n line(s) cannot be read and are missing below.</source>
        <translation>
            <numerusform>The run&apos;s statistics.jsonl is damaged: %n line cannot be read and is missing below.</numerusform>
            <numerusform>The run&apos;s statistics.jsonl is damaged: %n lines cannot be read and are missing below.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::LayerColumn</name>
    <message numerus="yes">
        <source>%1 %2: %3 parameter(s), output %4</source>
        <translation>
            <numerusform>%1 %2: %3 parameter, output %4</numerusform>
            <numerusform>%1 %2: %3 parameters, output %4</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::MapView</name>
    <message numerus="yes">
        <source>%1 image(s); the two components explain %2 of the variance</source>
        <translation>
            <numerusform>%1 image; the two components explain %2 of the variance</numerusform>
            <numerusform>%1 images; the two components explain %2 of the variance</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 image(s); nearby points are similar, distances between clusters mean little</source>
        <translation>
            <numerusform>%1 image; nearby points are similar, distances between clusters mean little</numerusform>
            <numerusform>%1 images; nearby points are similar, distances between clusters mean little</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::MergeDialog</name>
    <message numerus="yes">
        <source>Merged. %n place(s) were changed differently: your side stands until you decide.</source>
        <translation>
            <numerusform>Merged. %n place was changed differently: your side stands until you decide.</numerusform>
            <numerusform>Merged. %n places were changed differently: your side stands until you decide.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::MetricChart</name>
    <message numerus="yes">
        <source>%n value(s) above the axis</source>
        <translation>
            <numerusform>%n value above the axis</numerusform>
            <numerusform>%n values above the axis</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::MetricsView</name>
    <message numerus="yes">
        <source>%1 false positive(s)</source>
        <translation>
            <numerusform>%1 false positive</numerusform>
            <numerusform>%1 false positives</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 false negative(s)</source>
        <translation>
            <numerusform>%1 false negative</numerusform>
            <numerusform>%1 false negatives</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::OnnxImport</name>
    <message numerus="yes">
        <source>%1 was imported: %n layer(s). Training begins with its weights, which are in %2.</source>
        <translation>
            <numerusform>%1 was imported: %n layer. Training begins with its weights, which are in %2.</numerusform>
            <numerusform>%1 was imported: %n layers. Training begins with its weights, which are in %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::ParallelView</name>
    <message numerus="yes">
        <source>%1 of %n trial(s)</source>
        <translation>
            <numerusform>%1 of %n trial</numerusform>
            <numerusform>%1 of %n trials</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::PhotoDialog</name>
    <message numerus="yes">
        <source>%n photo(s)</source>
        <translation>
            <numerusform>%n photo</numerusform>
            <numerusform>%n photos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n class</numerusform>
            <numerusform>%n classes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n epoch</numerusform>
            <numerusform>%n epochs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::Placement</name>
    <message numerus="yes">
        <source>%n layer(s) moved to %1</source>
        <translation>
            <numerusform>%n layer moved to %1</numerusform>
            <numerusform>%n layers moved to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::QueuePanel</name>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n running</numerusform>
            <numerusform>%n running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n waiting</numerusform>
            <numerusform>%n waiting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::RecentRow</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::RunController</name>
    <message numerus="yes">
        <source>The network has %n problem(s). Solve them before training.</source>
        <translation>
            <numerusform>The network has a problem. Solve it before training.</numerusform>
            <numerusform>The network has %n problems. Solve them before training.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::RunDetails</name>
    <message numerus="yes">
        <source>%n run(s) chosen</source>
        <translation>
            <numerusform>%n run chosen</numerusform>
            <numerusform>%n runs chosen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::RunFilter</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n of them pinned above</source>
        <translation>
            <numerusform>, %n of them pinned above</numerusform>
            <numerusform>, %n of them pinned above</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::RunSettingsPanel</name>
    <message numerus="yes">
        <source>%n change(s) wait(s). The run takes them at its next step.</source>
        <translation>
            <numerusform>%n change waits. The run takes it at its next step.</numerusform>
            <numerusform>%n changes wait. The run takes them at its next step.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::RungBars</name>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n epoch</numerusform>
            <numerusform>%n epochs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::RunsPage</name>
    <message numerus="yes">
        <source>%n run(s) were moved to the trash.</source>
        <translation>
            <numerusform>%n run was moved to the trash.</numerusform>
            <numerusform>%n runs were moved to the trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) could not be moved to the trash</source>
        <translation>
            <numerusform>%n run could not be moved to the trash</numerusform>
            <numerusform>%n runs could not be moved to the trash</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 run(s), %3 in the chart</source>
        <translation>
            <numerusform>%1 of %2 run, %3 in the chart</numerusform>
            <numerusform>%1 of %2 runs, %3 in the chart</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::SearchDialog</name>
    <message numerus="yes">
        <source>%1 field(s), %2 trials of up to %3 epochs each</source>
        <translation>
            <numerusform>%1 field, %2 trials of up to %3 epochs each</numerusform>
            <numerusform>%1 fields, %2 trials of up to %3 epochs each</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::SplitButton</name>
    <message numerus="yes">
        <source>%n problem(s) to solve first</source>
        <translation>
            <numerusform>%n problem to solve first</numerusform>
            <numerusform>%n problems to solve first</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::StageList</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::StepTimeline</name>
    <message numerus="yes">
        <source>%n micro-batch(es) in %1 order</source>
        <translation>
            <numerusform>%n micro-batch in %1 order</numerusform>
            <numerusform>%n micro-batches in %1 order</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::StudyStrip</name>
    <message numerus="yes">
        <source>%n finished</source>
        <translation>
            <numerusform>%n finished</numerusform>
            <numerusform>%n finished</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paused</source>
        <translation>
            <numerusform>%n paused</numerusform>
            <numerusform>%n paused</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n running</numerusform>
            <numerusform>%n running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pruned</source>
        <translation>
            <numerusform>%n pruned</numerusform>
            <numerusform>%n pruned</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::StudyView</name>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n trial</numerusform>
            <numerusform>%n trials</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::SubmitDialog</name>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n epoch</numerusform>
            <numerusform>%n epochs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::TrainPage</name>
    <message numerus="yes">
        <source>%n kept</source>
        <translation>
            <numerusform>%n kept</numerusform>
            <numerusform>%n kept</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::TrialPanel</name>
    <message numerus="yes">
        <source>Trial %1 with %n other seed(s): %2 ± %3, from %4 to %5.</source>
        <translation>
            <numerusform>Trial %1 with %n other seed: %2 ± %3, from %4 to %5.</numerusform>
            <numerusform>Trial %1 with %n other seeds: %2 ± %3, from %4 to %5.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>nw::ui::WeightStart</name>
    <message numerus="yes">
        <source>Training begins with %n weight(s) of %1.</source>
        <translation>
            <numerusform>Training begins with %n weight of %1.</numerusform>
            <numerusform>Training begins with %n weights of %1.</numerusform>
        </translation>
    </message>
</context>
</TS>
