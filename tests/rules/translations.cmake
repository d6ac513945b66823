# SPDX-License-Identifier: Apache-2.0
# cmake -DLUPDATE=… -DSOURCE=<repository> -DWORK=<scratch folder> -P translations.cmake
# Fails when running lupdate would change a .ts file: texts without an entry, entries without a text, or a form that
# lupdate does not write.
file(REMOVE_RECURSE ${WORK})
file(GLOB found ${SOURCE}/resources/i18n/*.ts)
foreach(ts IN LISTS found)
  get_filename_component(name ${ts} NAME)
  configure_file(${ts} ${WORK}/${name} COPYONLY)
  execute_process(COMMAND ${CMAKE_COMMAND} -DLUPDATE=${LUPDATE} -DSOURCE=${SOURCE} -DWORK=${WORK}/texts -DTS=${WORK}/${name}
                          -P ${SOURCE}/resources/cmake/collect_texts.cmake RESULT_VARIABLE failed ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${name}: the texts could not be collected: ${output}")
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${ts} ${WORK}/${name} RESULT_VARIABLE differs)
  if(differs)
    message(FATAL_ERROR "resources/i18n/${name} is not what lupdate writes: build the target update_translations, "
                        "translate what is new, and commit the file")
  endif()
endforeach()
