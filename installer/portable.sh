# SPDX-License-Identifier: Apache-2.0
# Functions of package.sh: programs together with the libraries that they need. Sourced, not run.

# Libraries that every system has, in a version that only the system can know: the C library, and what is as old as the compiler.
readonly of_the_system='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|stdc\+\+|gcc_s))\.so'
readonly qt_plugins=(platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqminimal.so iconengines/libqsvgicon.so imageformats/libqsvg.so
                     imageformats/libqjpeg.so platforminputcontexts/libcomposeplatforminputcontextplugin.so
                     platforminputcontexts/libibusplatforminputcontextplugin.so xcbglintegrations/libqxcb-glx-integration.so
                     xcbglintegrations/libqxcb-egl-integration.so)

# libraries_of FILE...: the libraries that these need, directly or not, but those of the system
libraries_of() {
  ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u | while read -r library; do
    [[ ${library##*/} =~ $of_the_system ]] || echo "$library"
  done
}

# bundle FOLDER FILE...: copies the libraries of these files into the folder; each finds the others beside itself
bundle() {
  local folder=$1 library; shift
  mkdir -p "$folder"
  libraries_of "$@" | while read -r library; do
    cp -L "$library" "$folder/"
    patchelf --set-rpath '$ORIGIN' "$folder/${library##*/}"
  done
}

# owner_of FILE: the installed package that it comes from, "libz1:amd64"; nothing: none
owner_of() {
  local file=$1 known
  # dpkg may know the file by its place before /lib became a link into /usr
  for known in "$(readlink -f "$file")" "${file#/usr}" "$file"; do dpkg -S "$known" 2>/dev/null && break; done | sed 's/: .*//' || true
}

# licences FOLDER FILE...: the licence of each package that these files come from, as a file of its name, and in versions.txt a line
# "PACKAGE VERSION" for each of them
licences() {
  local folder=$1 file package; shift
  mkdir -p "$folder"
  for file in "$@"; do
    package=$(owner_of "$file")
    [[ -n $package ]] || { say "$file belongs to no package: its licence is not known, so it cannot be packed"; return 1; }
    cp -L "/usr/share/doc/${package%%:*}/copyright" "$folder/${package%%:*}" || return
    dpkg-query -W -f '${Package} ${Version}\n' "$package" || return
  done | LC_ALL=C sort -u >"$folder/versions.txt"
}

# portable_tree BUILD FOLDER: everything that the window and the command line need, in one folder that can lie anywhere
portable_tree() {
  local build=$1 tree=$2 plugin needed=() private plugins
  private=$tree/lib/netwright plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS)
  rm -rf "$tree"
  for component in cli window; do cmake --install "$build" --prefix "$tree" --component $component --strip >/dev/null; done
  cp "$top/LICENSE" "$top/README.md" "$top/CHANGELOG.md" "$tree/"
  for plugin in "${qt_plugins[@]}"; do
    [[ -e $plugins/$plugin ]] || { say "The plug-in $plugin of Qt is not installed here: left out."; continue; }
    install -D "$plugins/$plugin" "$tree/plugins/$plugin"
  done
  mapfile -t needed < <(libraries_of "$private"/* "$tree"/plugins/*/*)
  bundle "$tree/lib" "$private"/* "$tree"/plugins/*/*
  for file in "$private"/*; do patchelf --set-rpath '$ORIGIN/..' "$file"; done
  for file in "$tree"/plugins/*/*; do patchelf --set-rpath '$ORIGIN/../../lib' "$file"; done
  licences "$tree/licences" "${needed[@]}"
  mkdir -p "$tree/translations"
  cp "$(qtpaths6 --query QT_INSTALL_TRANSLATIONS)"/qtbase_zh_CN.qm "$tree/translations/" 2>/dev/null || say "Qt's Chinese texts are not installed here: left out."
  printf '[Paths]\nPrefix=../..\nPlugins=plugins\nTranslations=translations\n' >"$private/qt.conf"
}
