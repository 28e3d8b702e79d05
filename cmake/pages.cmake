# Manual pages and completion of command lines, printed by the command itself.
if(NOT CMAKE_CROSSCOMPILING)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/pages)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/app/main.c)
  file(STRINGS src/app/main.c names REGEX "^    {\"[a-z]+\", \"")
  set(pages pliant.1 pliant-scene.5)
  set(print COMMAND $<TARGET_FILE:pliant_command> manual > ${folder}/pliant.1
    COMMAND $<TARGET_FILE:pliant_command> manual scene > ${folder}/pliant-scene.5
    COMMAND $<TARGET_FILE:pliant_command> completion bash > ${folder}/pliant
    COMMAND $<TARGET_FILE:pliant_command> completion zsh > ${folder}/_pliant)
  foreach(line IN LISTS names)
    string(REGEX REPLACE "^    {\"([a-z]+)\".*" "\\1" name "${line}")
    list(APPEND pages pliant-${name}.1)
    list(APPEND print COMMAND $<TARGET_FILE:pliant_command> manual ${name} > ${folder}/pliant-${name}.1)
  endforeach()
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/pliant.1 ${print} DEPENDS pliant_command VERBATIM)
  add_custom_target(pliant_pages ALL DEPENDS ${folder}/pliant.1)

  foreach(page IN LISTS pages)
    string(REGEX REPLACE ".*\\." "" section ${page})
    install(FILES ${folder}/${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
  endforeach()
  install(FILES ${folder}/pliant DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${folder}/_pliant DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
