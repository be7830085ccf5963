# Enables C++, or stops with what to install. CMake's own error speaks of generators and cached variables;
# most people who meet it only wanted to install a Python package.

set(_way_out "Hornbook's engine is written in C++20; to install it from source, install a compiler:
  Debian, Ubuntu   apt install g++            (GCC 11 or newer, or Clang 14)
  Fedora           dnf install gcc-c++
  macOS            xcode-select --install     (Xcode 14 or newer)
  Windows          WSL, and there as for Ubuntu; the compiler of the Visual Studio Build Tools (MSVC)
                   lacks the 128-bit integers that the engine counts with
If it is not in its usual place, name it:
  CXX=/path/to/g++ pip install .
A wheel needs no compiler. To make one on another machine: docs/how-to/build.md")

function(_require_cxx)
  include(CheckLanguage)
  if(DEFINED CMAKE_CXX_COMPILER)
    # Named by hand, or remembered by an earlier run; one that has since come or gone is looked for again.
    find_program(_named "${CMAKE_CXX_COMPILER}" NO_CACHE)
    if(NOT CMAKE_CXX_COMPILER OR NOT _named)
      set(_asked "${CMAKE_CXX_COMPILER}")
      unset(CMAKE_CXX_COMPILER CACHE)
      unset(CMAKE_CXX_COMPILER)
      if(_asked)
        message(FATAL_ERROR "There is no C++ compiler `${_asked}`.\n${_way_out}")
      endif()
    endif()
  endif()
  check_language(CXX)
  if(NOT CMAKE_CXX_COMPILER)
    unset(CMAKE_CXX_COMPILER CACHE)
    if(DEFINED ENV{CXX})
      message(FATAL_ERROR "CXX names `$ENV{CXX}`, and that is no working C++ compiler.\n${_way_out}")
    endif()
    message(FATAL_ERROR "There is no working C++ compiler here.\n${_way_out}")
  endif()
endfunction()

function(_require_cxx20)
  include(CheckCXXSourceCompiles)
  set(_works FALSE)
  if("cxx_std_20" IN_LIST CMAKE_CXX_COMPILE_FEATURES)
    set(CMAKE_CXX_STANDARD 20)
    set(CMAKE_CXX_STANDARD_REQUIRED ON)
    check_cxx_source_compiles([[
      #include <algorithm>
      #include <bit>
      #include <concepts>
      #include <cstdint>
      #include <ranges>
      #include <span>
      #include <vector>
      template <std::integral T> int ones(std::span<const T> cells) {
          int all = 0;
          for (T cell : cells) all += std::popcount(static_cast<std::uint64_t>(cell));
          return all;
      }
      __extension__ typedef __int128 Wide;
      bool overflows(std::int64_t left, std::int64_t right, std::int64_t& product) {
          return __builtin_mul_overflow(left, right, &product);
      }
      struct Place { int row, column; auto operator<=>(const Place&) const = default; };
      int main() {
          std::vector<std::int64_t> cells{3, 5};
          std::ranges::sort(cells);
          std::int64_t product = 0;
          return ones<std::int64_t>(cells) == 4 && Place{1, 2} < Place{1, 3} && !overflows(3, 5, product) &&
                 static_cast<Wide>(product) == 15 ? 0 : 1;
      }]] HORNBOOK_COMPILES_CXX20)
    set(_works "${HORNBOOK_COMPILES_CXX20}")
  endif()
  if(NOT _works)
    unset(HORNBOOK_COMPILES_CXX20 CACHE)
    message(FATAL_ERROR
      "The C++ compiler `${CMAKE_CXX_COMPILER}` (${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}) "
      "does not compile C++20 with 128-bit integers.\n${_way_out}")
  endif()
endfunction()

_require_cxx()
enable_language(CXX)
_require_cxx20()
