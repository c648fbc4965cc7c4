import { statSync } from 'node:fs';
import { append } from '../contract/lists.ts';

/** System call numbers of one instruction set (the kernel's `unistd.h` of each). */
interface SystemCalls {
  /** The value of `seccomp_data.arch` (linux/audit.h). */
  readonly architecture: number;
  readonly socket: number;
  readonly refused: readonly number[];
  /** Calls that set a file's mode, with the index of that parameter. */
  readonly modes: readonly ModeCall[];
}

/**
 * `flags` is the index of the parameter that says whether a file is created. If none is, the mode
 * is ignored.
 */
interface ModeCall {
  readonly number: number;
  readonly mode: number;
  readonly flags?: number;
}

/**
 * Calls that no build or test needs and that namespaces do not restrict. Key rings belong to the
 * session, and io_uring opens sockets without that call. bpf, perf_event_open and userfaultfd
 * expose the kernel.
 *
 * Order: add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd, io_uring_setup,
 * io_uring_enter, io_uring_register, openat2.
 *
 * The filter cannot see openat2's mode, and programs work without it. 32-bit x86 also has
 * socketcall, whose parameters are invisible.
 */
const x64: SystemCalls = {
  architecture: 0xc000_003e,
  socket: 41,
  refused: [248, 249, 250, 298, 321, 323, 425, 426, 427, 437],
  modes: modeCalls({
    open: 2,
    openat: 257,
    creat: 85,
    chmod: 90,
    fchmod: 91,
    fchmodat: 268,
    mknod: 133,
    mknodat: 259,
  }),
};
const x86: SystemCalls = {
  architecture: 0x4000_0003,
  socket: 359,
  refused: [286, 287, 288, 336, 357, 374, 425, 426, 427, 437, 102],
  modes: modeCalls({
    open: 5,
    openat: 295,
    creat: 8,
    chmod: 15,
    fchmod: 94,
    fchmodat: 306,
    mknod: 14,
    mknodat: 297,
  }),
};
const arm64: SystemCalls = {
  architecture: 0xc000_00b7,
  socket: 198,
  refused: [217, 218, 219, 241, 280, 282, 425, 426, 427, 437],
  modes: modeCalls({ openat: 56, fchmod: 52, fchmodat: 53, mknodat: 33 }),
};
const arm: SystemCalls = {
  architecture: 0x4000_0028,
  socket: 281,
  refused: [309, 310, 311, 364, 386, 388, 425, 426, 427, 437],
  modes: modeCalls({
    open: 5,
    openat: 322,
    creat: 8,
    chmod: 15,
    fchmod: 94,
    fchmodat: 333,
    mknod: 14,
    mknodat: 324,
  }),
};

/** Each processor also runs programs of its 32-bit predecessor. */
const spoken: Readonly<Record<string, readonly SystemCalls[]>> = { x64: [x64, x86], arm64: [arm64, arm] };

/**
 * UNIX, INET, INET6, NETLINK, which all belong to the network namespace. Others do not: in a
 * virtual machine VSOCK reaches the host.
 */
const socketFamilies = [1, 2, 10, 16];

const errno = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 };

/** inode(7): such a program runs as its owner or in its group, whoever starts it. */
const setuid = 0o4000;
const setgid = 0o2000;

/** open(2): O_CREAT and __O_TMPFILE, equal on all four. */
const makesFile = 0o100 | 0o20000000;

/** Parameter indexes of the mode. fchmodat2 has one number everywhere. */
function modeCalls(numbers: Readonly<Record<string, number>>): ModeCall[] {
  const indexes: Readonly<Record<string, Omit<ModeCall, 'number'>>> = {
    open: { flags: 1, mode: 2 },
    openat: { flags: 2, mode: 3 },
    fchmodat: { mode: 2 },
    fchmodat2: { mode: 2 },
    mknodat: { mode: 2 },
  };
  return Object.entries({ ...numbers, fchmodat2: 452 }).map(([name, number]) => {
    const parameters = indexes[name] ?? { mode: 1 };
    return { number, ...parameters };
  });
}

/** seccomp(2) and linux/bpf_common.h: results and instructions. */
const allow = 0x7fff_0000;
const refuse = (error: number) => 0x0005_0000 | error;
const loadWord = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfAnyBit = 0x45;
const answer = 0x06;

/**
 * Offsets in `seccomp_data`: call number, instruction set, lower half of the first parameter.
 * Further parameters follow every 8 bytes.
 */
const at = { number: 0, architecture: 4, firstParameter: 16 };

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * Returns the seccomp program of every sandbox for bubblewrap's `--seccomp`; null for an unknown
 * processor. Calls it does not name are allowed and left to namespaces and missing capabilities.
 *
 * No file gets the set-user-ID bit. Nor does one get the set-group-ID bit unless `sharedGroup`: new
 * folders inherit it where people share a group. `anyMode` is for a set-up, whose stored results
 * lose such bits (`clearSetIdBits`).
 */
export function systemCallFilter(
  processor: string,
  { sharedGroup = false, anyMode = false } = {},
): Buffer | null {
  const sets = spoken[processor];
  if (sets === undefined) return null;
  const own = anyMode ? 0 : setuid;
  const bits = anyMode || sharedGroup ? own : setuid | setgid;
  const program: Instruction[] = [[loadWord, 0, 0, at.architecture]];
  for (const calls of sets) {
    const body = filterOf(calls, bits);
    append(program, [[jumpIfEqual, 0, body.length, calls.architecture], ...body]);
  }
  program.push([answer, 0, 0, refuse(errno.ENOSYS)]);
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}

/** Decides every call of the set. Jumps count the instructions they skip. */
function filterOf({ architecture, socket, refused, modes }: SystemCalls, bits: number): Instruction[] {
  const families: Instruction[] = [
    [loadWord, 0, 0, at.firstParameter],
    ...socketFamilies.map(
      (family, index): Instruction => [jumpIfEqual, socketFamilies.length - index, 0, family],
    ),
    [answer, 0, 0, refuse(errno.EAFNOSUPPORT)],
    [answer, 0, 0, allow],
  ];
  // The x32 form of every x86-64 call has this bit and would pass for another.
  const unknown: Instruction[] =
    architecture === x64.architecture ? [[jumpIfAtLeast, refused.length + 2, 0, 0x4000_0000]] : [];
  return [
    [loadWord, 0, 0, at.number],
    ...modes.flatMap((call) => withoutBits(call, bits)),
    ...unknown,
    ...refused.map((call, index): Instruction => [jumpIfEqual, refused.length - index + 1, 0, call]),
    [jumpIfEqual, 2, 0, socket],
    [answer, 0, 0, allow],
    [answer, 0, 0, refuse(errno.ENOSYS)],
    ...families,
  ];
}

/** Refuses one call if its mode has one of the bits. Continues after itself for any other call. */
function withoutBits({ number, mode, flags }: ModeCall, bits: number): Instruction[] {
  const parameter = (index: number): Instruction => [loadWord, 0, 0, at.firstParameter + 8 * index];
  const check: Instruction[] = [
    ...(flags === undefined ? [] : [parameter(flags), [jumpIfAnyBit, 0, 3, makesFile] as const]),
    parameter(mode),
    [jumpIfAnyBit, 0, 1, bits],
    [answer, 0, 0, refuse(errno.EPERM)],
    [answer, 0, 0, allow],
  ];
  return [[jumpIfEqual, 0, check.length, number], ...check];
}

/**
 * Returns true for a folder whose contents belong to its group (inode(7), "The set-group-ID bit").
 */
export function hasSharedGroup(folder: string): boolean {
  return (statSync(folder).mode & setgid) !== 0;
}
