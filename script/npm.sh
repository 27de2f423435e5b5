# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# npm.sh - pinned tarballs from the npm registry, without npm; sourced after common.sh. Its users set
# WORK, a temporary folder.

# The value of `registry` in an npm configuration file, the last one as npm reads it.
registry_in() {
    [ -r "$1" ] || return 0
    sed -n 's/^[[:space:]]*registry[[:space:]]*=[[:space:]]*//p' "$1" | tail -n 1 | tr -d "\"' \r"
}

# The registry that npm itself goes to. Where there is no npm it is read off Debian's package, which
# is not installed: it would bring hundreds of others.
default_registry() {
    if command -v npm >/dev/null; then
        npm config get registry 2>/dev/null
        return
    fi
    (cd "$WORK" && apt-get download npm >/dev/null && dpkg-deb --fsys-tarfile npm_*.deb) 2>/dev/null |
        tar --extract --to-stdout --wildcards '*/config/definitions.js' 2>/dev/null |
        sed -n "/^define('registry'/,/^})/s/^  default: '\(.*\)',\$/\1/p"
}

# As npm finds it, without npm: environment, then project, user and global files, then its default.
registry() {
    found=${NPM_CONFIG_REGISTRY:-${npm_config_registry:-}}
    for file in "$ROOT/.npmrc" "${NPM_CONFIG_USERCONFIG:-${HOME:-/nonexistent}/.npmrc}" \
        "${NPM_CONFIG_GLOBALCONFIG:-/usr/local/etc/npmrc}" /usr/etc/npmrc /etc/npmrc; do
        [ -n "$found" ] || found=$(registry_in "$file")
    done
    [ -n "$found" ] || found=$(default_registry)
    printf '%s\n' "${found%/}"
}

# download PACKAGE VERSION SHA256 ARCHIVE
download() {
    REGISTRY=${REGISTRY:-$(registry)}
    curl --fail --silent --location --connect-timeout 5 --max-time 180 --retry 1 \
        --output "$WORK/archive" "$REGISTRY/$1/-/${1##*/}-$2.tgz" || return 1
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
