# The Python package: plain files, and the declarations that are made from the headers. It is complete in
# the build folder, where it finds the library beside itself. By default it is installed where the
# distribution's Python looks if the prefix is /usr or /usr/local.
find_program(PLIANT_PYTHON NAMES python3 HINTS /usr/bin DOC "Python 3; it writes and tests the package")
if(NOT PLIANT_PYTHON)
  message(STATUS "Python 3 was not found: its package is not installed")
  return()
endif()
execute_process(COMMAND ${PLIANT_PYTHON} -c "import sys, sysconfig as s
print('lib/python%d.%d/' % sys.version_info[:2] + s.get_path('purelib').rpartition('/')[2])"
  OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
set(PLIANT_PYTHON_DIR "${folder}" CACHE STRING "Where the Python package is installed, in the prefix")
set(package ${CMAKE_BINARY_DIR}/python/pliant)
set(writer ${CMAKE_SOURCE_DIR}/tools/python_abi.py)
file(MAKE_DIRECTORY ${package})
file(GLOB headers CONFIGURE_DEPENDS include/pliant/*.h)
file(GLOB sources CONFIGURE_DEPENDS python/pliant/*.py python/pliant/py.typed)
set(files ${package}/_abi.py)
add_custom_command(OUTPUT ${package}/_abi.py DEPENDS ${headers} ${writer}
  COMMAND ${PLIANT_PYTHON} ${writer} ${package}/_abi.py)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME)
  list(APPEND files ${package}/${name})
  add_custom_command(OUTPUT ${package}/${name} DEPENDS ${source}
    COMMAND ${CMAKE_COMMAND} -E copy ${source} ${package}/${name})
endforeach()
add_custom_target(pliant_python ALL DEPENDS ${files})
install(FILES ${files} DESTINATION ${PLIANT_PYTHON_DIR}/pliant COMPONENT python)
