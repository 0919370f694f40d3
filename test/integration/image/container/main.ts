/**
 * Runs a container with a read-only root, as a kubelet would: in place of this process, in a mount namespace of its
 * own, as the image's user. The environment variable `CONTAINER` has the description. The arguments go to the entry
 * point of the image. The named folders appear at the same path inside.
 */
import type { Container } from '../image.ts';

const { root, user, env, entrypoint, folders }: Container = JSON.parse(
  process.env['CONTAINER'] ?? '',
);

const script = `
set -eu
root=$1 uid=$2 gid=$3 folders=$4
shift 4
mount --bind "$root" "$root"
mkdir -p "$root/proc"
mount -t proc proc "$root/proc"
for folder in $folders; do
  mkdir -p "$root$folder"
  mount --bind "$folder" "$root$folder"
done
mount -o remount,ro,bind "$root"
exec unshare --root="$root" --setuid="$uid" --setgid="$gid" -- "$@"
`;

const [, , ...args] = process.argv;
const [uid = '', gid = ''] = user.split(':');
const ofScript = ['container', root, uid, gid, folders.join(' '), ...entrypoint, ...args];
process.execve?.(
  '/usr/bin/unshare',
  ['unshare', '--mount', '--', '/bin/sh', '-c', script, ...ofScript],
  env,
);
