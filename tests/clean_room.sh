#!/usr/bin/env bash
# Runs README's two commands in a bare Debian 12, made by debootstrap, on a fresh clone of what is committed here.
# By hand, as root, and it takes a while: tests/clean_room.sh [FOLDER]. The folder is kept if it is named.
# http_proxy and its like are passed on, and what the host's certificates vouch for is trusted inside too, since a
# network's own proxy may sign.
set -euo pipefail
REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
((EUID == 0)) || { echo "clean_room: debootstrap and chroot need root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "clean_room: install debootstrap" >&2; exit 1; }

ROOM=${1:-$(mktemp -d /tmp/clean-room.XXXXXX)}
KEEP=$#

leave() {
  local mounted
  for mounted in "$ROOM/proc" "$ROOM/sys" "$ROOM/dev/shm" "$ROOM/dev"; do
    mountpoint -q "$mounted" && umount -l "$mounted"
  done
  ((KEEP)) || rm -rf --one-file-system "$ROOM"
}
trap leave EXIT

make_room() {
  [[ -x $ROOM/usr/bin/apt-get ]] || debootstrap --variant=minbase bookworm "$ROOM" >"$ROOM.log"
  cp /etc/resolv.conf /etc/hosts "$ROOM/etc/"
  cp -L /etc/ssl/certs/ca-certificates.crt "$ROOM/host-certificates.crt"
  mount -t proc proc "$ROOM/proc"
  mount --bind /sys "$ROOM/sys"
  mount --bind /dev "$ROOM/dev"
  mountpoint -q "$ROOM/dev/shm" || mount -t tmpfs shm "$ROOM/dev/shm"
  rm -rf "$ROOM/root/transom"
  git clone --quiet --no-hardlinks "$REPOSITORY" "$ROOM/root/transom"
}

inside() {
  local passed
  mapfile -t passed < <(env | grep -E '^(https?_proxy|no_proxy)=' || true)
  chroot "$ROOM" /usr/bin/env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    PIP_CERT=/host-certificates.crt "${passed[@]}" /bin/bash -euo pipefail -c "cd /root/transom; $1"
}

timed() {
  local begin=$SECONDS
  echo "== $1"
  inside "$1"
  echo "== took $((SECONDS - begin)) s: $1"
}

make_room
timed './dev demo --detach'
timed "curl --fail --silent --json '{\"features\": [5.1, 3.5, 1.4, 0.2]}' http://127.0.0.1:8080/v1/models/iris:predict"
timed './dev demo --stop'
timed './dev test'
