<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en">
<context>
    <name>canvas</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
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
</TS>
