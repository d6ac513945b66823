# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DLUPDATE=… -DSOURCE=<repository> -DWORK=<scratch folder> -DTS=<file.ts> -P collect_texts.cmake
# Brings a .ts file up to date with what the sources say. lupdate knows no macro with a fixed context, so it reads copies of the
# engine's files in which NW_TR("…") is spelt QT_TRANSLATE_NOOP("engine", "…"); the window's files it reads as they are.
file(REMOVE_RECURSE ${WORK})
file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/engine/*.cpp ${SOURCE}/engine/*.hpp ${SOURCE}/kernels/*.cpp ${SOURCE}/kernels/*.hpp ${SOURCE}/ui/*.cpp)
foreach(name IN LISTS files)
  file(READ ${SOURCE}/${name} text)
  if(text MATCHES "NW_TR\\(")
    string(REPLACE "#define NW_TR(english) english" "" text "${text}")
    string(REPLACE "NW_TR(" "QT_TRANSLATE_NOOP(\"engine\", " text "${text}")
    file(WRITE ${WORK}/${name} "${text}")
  endif()
endforeach()
file(MAKE_DIRECTORY ${WORK})
# English needs its plurals only.
if(TS MATCHES "_en\\.ts$")
  set(which -pluralonly)
endif()
execute_process(COMMAND ${LUPDATE} ${which} -silent -no-obsolete -locations none -extensions cpp,hpp -I ${SOURCE} ${WORK} ${SOURCE}/ui ${SOURCE}/app -ts ${TS}
                RESULT_VARIABLE rc)
if(NOT rc EQUAL 0)
  message(FATAL_ERROR "lupdate failed on ${TS}")
endif()
