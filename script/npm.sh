# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# npm.sh - pinned tarballs from the npm registry, without npm; sourced after common.sh. Its users set
# WORK, a temporary folder.

# The value of `registry` in an npm configuration file, the last one as npm reads it.
registry_in() {
    [ -r "$1" ] || return 0
    sed -n 's/^[[:space:]]*registry[[:space:]]*=[[:space:]]*//p' "$1" | tail -n 1 | tr -d "\"' \r"
}

# As npm finds it, without npm: environment, then project, user and global files.
registry() {
    found=${NPM_CONFIG_REGISTRY:-${npm_config_registry:-}}
    for file in "$ROOT/.npmrc" "${NPM_CONFIG_USERCONFIG:-${HOME:-/nonexistent}/.npmrc}" \
        "${NPM_CONFIG_GLOBALCONFIG:-/usr/local/etc/npmrc}" /usr/etc/npmrc /etc/npmrc; do
        [ -n "$found" ] || found=$(registry_in "$file")
    done
    [ -n "$found" ] || found=https://registry.npmjs.org
    printf '%s\n' "${found%/}"
}

is_right() {
    [ -f "$1" ] && printf '%s  %s\n' "$2" "$1" | sha256sum --check --status -
}

# download PACKAGE VERSION SHA256 ARCHIVE
download() {
    curl --fail --silent --location --connect-timeout 5 --max-time 180 --retry 1 \
        --output "$WORK/archive" "$(registry)/$1/-/${1##*/}-$2.tgz" || return 1
    is_right "$WORK/archive" "$3" || return 1
    mv "$WORK/archive" "$4.$$" && mv "$4.$$" "$4"
}

# install PACKAGE VERSION SHA256: unpacks it into $WORK/parts/node_modules, out of the cache if it is
# there.
install() {
    name=${1##*/}
    archive=$CACHE/npm-$name-$2.tgz
    is_right "$archive" "$3" || download "$1" "$2" "$3" "$archive" || return 1
    mkdir -p "$WORK/parts/node_modules/$1"
    tar --extract --gzip --file "$archive" --directory "$WORK/parts/node_modules/$1" \
        --strip-components=1
}
