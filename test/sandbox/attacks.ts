/** A command that tries to leave the sandbox or gain rights, and its output if it fails. */
export interface Attack {
  readonly title: string;
  readonly command: string;
  readonly output: string;
}

/** The calls that Perl makes by number. */
const calls =
  process.arch === 'arm64'
    ? { addKey: 217, keyctl: 219, ioUring: 425 }
    : { addKey: 248, keyctl: 250, ioUring: 425 };

/** Prints its successes; it may print nothing else. */
const tried = (...attempts: readonly string[]) =>
  `${attempts.map((attempt, index) => `(${attempt}) > /dev/null 2>&1 && echo "did ${index}"`).join('; ')}; echo end`;

/**
 * Attacks that every sandbox must withstand, whoever starts it. Written so that a success changes
 * nothing on the machine: settings are set to their current values.
 */
export const attacks: readonly Attack[] = [
  {
    title: 'remounts the root or a system folder for writing, or mounts something new',
    command: tried(
      'mount -o remount,rw /',
      'mount -o remount,rw,bind /usr',
      'mount -t tmpfs none /mnt',
      'mount --bind /tmp /usr',
      'umount -l /proc',
      'umount .git',
      'pivot_root . .',
      'chroot / true',
    ),
    output: 'end\n',
  },
  {
    title: 'writes to system folders',
    command: tried(
      'touch /usr/x',
      'touch /etc/x',
      'touch /x',
      'touch /dev/x',
      'mkdir /opt/x',
      'touch /bin/x',
    ),
    output: 'end\n',
  },
  {
    title: 'sets what the kernel does for all: core_pattern names a program that it starts as root, outside',
    command: tried(
      'v=$(cat /proc/sys/kernel/core_pattern) && echo "$v" > /proc/sys/kernel/core_pattern',
      'v=$(cat /proc/sys/kernel/modprobe) && echo "$v" > /proc/sys/kernel/modprobe',
      'v=$(cat /proc/sys/vm/overcommit_memory) && echo "$v" > /proc/sys/vm/overcommit_memory',
      'v=$(cat /proc/sys/user/max_user_namespaces) && echo 1000 > /proc/sys/user/max_user_namespaces',
      ': > /proc/sysrq-trigger',
      ': > /proc/irq/default_smp_affinity',
    ),
    output: 'end\n',
  },
  {
    title: 'makes namespaces of its own',
    command: tried(
      'unshare -U true',
      'unshare -Ur true',
      'unshare -m true',
      'unshare -n true',
      'unshare -p -f true',
      'bwrap --unshare-user --ro-bind / / true',
      'nsenter -t 1 -U true',
      'setpriv --reuid 0 --clear-groups true && [ "$(id -u)" != 0 ]',
    ),
    output: 'end\n',
  },
  {
    title: 'has capabilities, may gain some by a set-user-id program, or runs unfiltered',
    command: "grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t'",
    output: `CapInh:${'0'.repeat(16)}\nCapPrm:${'0'.repeat(16)}\nCapEff:${'0'.repeat(16)}\nCapBnd:${'0'.repeat(16)}\nCapAmb:${'0'.repeat(16)}\nNoNewPrivs:1\nSeccomp:2\n`,
  },
  {
    title: 'makes a device',
    command: tried('mknod disk b 254 0', 'mknod /tmp/mem c 1 1', 'mknod /dev/kmsg c 1 11'),
    output: 'end\n',
  },
  {
    title:
      'opens a socket of a family that no network namespace holds (VSOCK reaches the host of a virtual machine)',
    command: `perl -e 'for my $family (0..50) { for my $type (1, 2, 3, 5) { if (socket(my $s, $family, $type, 0)) { $open{$family} = 1 } } } print join(" ", sort { $a <=> $b } keys %open), "\\n"'`,
    output: '1 2 10 16\n',
  },
  {
    title: 'sees a network device besides its own loopback',
    command:
      "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; cat /proc/net/unix | wc -l; cat /proc/net/route | wc -l",
    output: 'lo\n1\n1\n',
  },
  {
    title: 'reaches the network, or asks for names',
    command: tried(
      'timeout 2 bash -c ": < /dev/tcp/1.1.1.1/53"',
      'timeout 2 bash -c ": < /dev/tcp/169.254.169.254/80"',
      'timeout 2 bash -c "echo > /dev/udp/8.8.8.8/53"',
      'timeout 2 getent ahostsv4 example.com',
    ),
    output: 'end\n',
  },
  {
    title: 'uses key rings or io_uring',
    command: `perl -e 'my ($type, $name, $value) = ("user", "a", "b"); for ([${calls.keyctl}, 0, -3, 0], [${calls.ioUring}, 1, 0]) { my @call = @$_; print syscall(shift @call, @call) == -1 ? 0 + $! : "done", "\\n" } print syscall(${calls.addKey}, $type, $name, $value, 1, -3) == -1 ? 0 + $! : "done", "\\n"'`,
    output: '38\n38\n38\n',
  },
  {
    title: 'types into a terminal of ours',
    command: '(: < /dev/tty) 2>/dev/null && echo has a terminal; echo end',
    output: 'end\n',
  },
  {
    title: 'holds descriptors besides its three',
    command: 'for fd in /proc/$$/fd/*; do [ -e "$fd" ] && basename "$fd"; done; echo /proc/1/fd/* | wc -w',
    output: '0\n1\n2\n4\n',
  },
  {
    title: 'takes back what bounds it',
    command: tried(
      'ulimit -c unlimited',
      'ulimit -u unlimited',
      'ulimit -f unlimited',
      '[ "$(ulimit -Hc)" != 0 ]',
      '[ "$(ulimit -Hu)" -gt 4096 ]',
      '[ "$(ulimit -Hf)" -gt 8388608 ]',
      '[ "$(cat /proc/self/oom_score_adj)" -lt 1000 ]',
      '[ "$(cat /proc/sys/kernel/core_pattern)" = "" ] && ulimit -Hc 1',
    ),
    output: 'end\n',
  },
  {
    title: 'fills the memory by a folder without a bound',
    command: `awk '$0 ~ / - tmpfs / && $6 ~ /^rw/ && $0 !~ /size=/ { print $5 }' /proc/self/mountinfo; echo end`,
    output: 'end\n',
  },
  {
    title: 'swaps the git directory, or the workspace, for one of its own',
    command: tried(
      'mv .git old && cp -r old .git',
      'rm -rf .git; [ ! -e .git ]',
      'mv .anode-harness mine',
      'mv "$PWD" "$PWD-old"',
      'rmdir .git',
      'cd .. && mkdir swapped && mv checkout checkout-old && ln -s swapped checkout',
    ),
    output: 'end\n',
  },
  {
    title: 'finds sockets of services of the machine',
    command:
      'find / -xdev -type s 2>/dev/null; find /run /var/run/ /tmp /var /home /root /mnt /srv /media /dev -type s 2>/dev/null; ls /run/docker.sock /var/run/docker.sock /run/containerd /run/user /run/systemd 2>/dev/null; echo end',
    output: 'end\n',
  },
];
