/** What the command of a sandbox with namespaces depends on. */
export interface NamespaceOptions {
  /** An empty folder that becomes the root of the file system. */
  root: string;
  /** The folder of the job, which the program sees as /job and can write to. */
  files: string;
  /** Real paths that the program can read beside those of the system. */
  readOnly: readonly string[];
  /** The user of the program if the server runs as root; otherwise a user namespace hides that of the server. */
  uid: number | undefined;
  maxProcesses: number;
  maxFileBytes: number;
}

/** The exit status of a sandbox that could not be prepared; nothing ran then. */
export const SETUP_FAILED = 125;

/**
 * Builds a root of its own from system folders that are mounted read-only, moves there, gives up every privilege and
 * runs the program. Without these mounts a program in namespaces would still read all files of the server.
 */
const SETUP = `
root=$1 files=$2 identity=$3 processes=$4 bytes=$5 extra=$6
shift 6
fail() { echo "sandbox: $1" >&2; exit ${SETUP_FAILED}; }
share() {
  [ -e "$root$1" ] && return 0
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root$(dirname "$1")" && : > "$root$1"; fi &&
  mount --rbind "$1" "$root$1" && mount -o remount,bind,ro "$root$1"
}
mount --make-rprivate / && mount -t tmpfs -o mode=755,size=4m,nr_inodes=4096 tmpfs "$root" || fail 'no root'
for path in /usr /bin /sbin /lib /lib32 /lib64 /etc/ld.so.cache /etc/alternatives /etc/ssl/certs \\
  /etc/pki/ca-trust/extracted; do
  [ -e "$path" ] || continue
  if [ -L "$path" ]; then ln -s "$(readlink "$path")" "$root$path"; else share "$path"; fi || fail "no $path"
done
while [ "$extra" -gt 0 ]; do
  share "$1" || fail "no $1"
  shift
  extra=$((extra - 1))
done
mkdir -p "$root/job" "$root/dev" "$root/proc" "$root/old" && mount --bind "$files" "$root/job" || fail 'no job folder'
[ -e "$root/tmp" ] || ln -s job "$root/tmp"
for name in null zero random urandom; do
  : > "$root/dev/$name" && mount --bind "/dev/$name" "$root/dev/$name" || fail "no /dev/$name"
done
mount -t proc proc "$root/proc" || fail 'no /proc'
cd "$root" && pivot_root . old && umount -l /old && mount -o remount,bind,ro / && cd /job || fail 'no new root'
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all $identity \\
  prlimit --core=0 --nofile=1024 --nproc="$processes" --fsize="$bytes" -- "$@"
`;

const NAMESPACES = ['--net', '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'];

/** The command that runs a program in namespaces of its own: without network, other processes and other files. */
export function namespaceCommand(options: NamespaceOptions, command: readonly string[]): readonly string[] {
  const { root, files, readOnly, uid, maxProcesses, maxFileBytes } = options;
  const user = uid === undefined ? ['--user', '--map-root-user'] : [];
  const identity = uid === undefined ? '' : `--reuid=${uid} --regid=${uid} --clear-groups`;
  const settings = [root, files, identity, `${maxProcesses}`, `${maxFileBytes}`, `${readOnly.length}`];
  return [
    'unshare',
    ...user,
    ...NAMESPACES,
    '--',
    '/bin/sh',
    '-c',
    SETUP,
    'sandbox',
    ...settings,
    ...readOnly,
    ...command,
  ];
}

/** The command without namespaces: limits only. A shell sets them, because not every system has `prlimit`. */
export const limitCommand = (maxFileBytes: number, command: readonly string[]): readonly string[] => [
  '/bin/sh',
  '-c',
  `ulimit -c 0; ulimit -f ${Math.ceil(maxFileBytes / 512)}; exec "$@"`,
  'sandbox',
  ...command,
];
