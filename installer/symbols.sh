# SPDX-License-Identifier: Apache-2.0
# Functions of package.sh: packages of debug symbols as Debian has them. Sourced, not run.

# repack_symbols FOLDER: makes NAME-dbgsym_….deb of each NAME-dbgsym_….ddeb. CPack's (3.25) names its files in md5sums by where they lay
# while it was built, so that dpkg --verify fails and two builds differ, and has no copyright: as with debhelper, that of NAME serves.
repack_symbols() {
  local file tree name
  tree=$(mktemp -d)
  for file in "$1"/*.ddeb; do
    [[ -e $file ]] || continue
    rm -rf "$tree"
    dpkg-deb -R "$file" "$tree"
    name=$(dpkg-deb -f "$file" Package)
    sed -i '/^Package-Type:/d' "$tree/DEBIAN/control"
    mkdir -p "$tree/usr/share/doc"
    ln -s "${name%-dbgsym}" "$tree/usr/share/doc/$name"
    find "$tree/usr" -type d -exec chmod 755 {} +
    find "$tree/usr" -type f -exec chmod 644 {} +
    (cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    chmod 755 "$tree" "$tree/DEBIAN"
    chmod 644 "$tree"/DEBIAN/*
    dpkg-deb --root-owner-group -Zxz -b "$tree" "${file%.ddeb}.deb" >/dev/null
    rm "$file"
  done
  rm -rf "$tree"
}
