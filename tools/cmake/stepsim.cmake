# One library per folder, sources listed by hand, packages as system includes.
add_library(stepsim_options INTERFACE)
target_include_directories(stepsim_options INTERFACE ${PROJECT_SOURCE_DIR})
# -ffp-contract=off: the same scenario gives the same bytes whatever the compiler fuses.
target_compile_options(stepsim_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off)
if(STEPSIM_WERROR)
  target_compile_options(stepsim_options INTERFACE -Werror)
endif()
if(STEPSIM_SANITIZE)
  target_compile_options(stepsim_options INTERFACE -fsanitize=${STEPSIM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(stepsim_options INTERFACE -fsanitize=${STEPSIM_SANITIZE})
endif()

# stepsim_library(name SOURCES a.cc… LINKS lib…): links are PUBLIC, since headers name the types of what they link.
function(stepsim_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC stepsim_options ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})
endfunction()

# stepsim_test(name SOURCES a_test.cc… LINKS lib…): one binary, one ctest entry per TEST().
function(stepsim_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE stepsim_options ${ARG_LINKS} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE STEPSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${name} PROPERTIES TIMEOUT 300 DISCOVERY_MODE PRE_TEST)
endfunction()
