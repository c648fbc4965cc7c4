import { statSync } from 'node:fs';
import { append } from '../contract/lists.ts';

/** The system calls of one instruction set, by their numbers (the kernel's `unistd.h` of each). */
interface SystemCalls {
  /** As `seccomp_data.arch` tells it (linux/audit.h). */
  readonly architecture: number;
  readonly socket: number;
  readonly refused: readonly number[];
  /** Calls that set the mode of a file, by the place of that parameter. */
  readonly modes: readonly ModeCall[];
}

/** `flags` is the place of the parameter that says whether a file is made: else the mode may be anything. */
interface ModeCall {
  readonly number: number;
  readonly mode: number;
  readonly flags?: number;
}

/**
 * What no build or test needs, and what namespaces do not hold: key rings (a process keeps that of the session
 * it was started from), io_uring (it opens sockets without the call for it), bpf, perf_event_open and userfaultfd (ways into
 * the kernel). In this order: add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd, io_uring_setup,
 * io_uring_enter, io_uring_register; openat2, whose mode lies where no filter looks, and which programs do without. The 32-bit x86 has one
 * more, socketcall, whose parameters cannot be looked at.
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

/** A processor runs the programs of its own instruction set and those of its 32-bit forebear. */
const spoken: Readonly<Record<string, readonly SystemCalls[]>> = { x64: [x64, x86], arm64: [arm64, arm] };

/**
 * UNIX, INET, INET6, NETLINK: all of which belong to the network namespace. Others do not, VSOCK above all: in a
 * virtual machine it reaches the host, past every namespace.
 */
const socketFamilies = [1, 2, 10, 16];

const errno = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 };

/** inode(7): a program with one of these runs as its owner, or in its group, whoever starts it. */
const setuid = 0o4000;
const setgid = 0o2000;

/** open(2): O_CREAT and __O_TMPFILE, the same on all four. */
const makesFile = 0o100 | 0o20000000;

/** Places of the mode among the parameters; fchmodat2 has one number everywhere. */
function modeCalls(numbers: Readonly<Record<string, number>>): ModeCall[] {
  const places: Readonly<Record<string, Omit<ModeCall, 'number'>>> = {
    open: { flags: 1, mode: 2 },
    openat: { flags: 2, mode: 3 },
    fchmodat: { mode: 2 },
    fchmodat2: { mode: 2 },
    mknodat: { mode: 2 },
  };
  return Object.entries({ ...numbers, fchmodat2: 452 }).map(([name, number]) => ({
    number,
    ...(places[name] ?? { mode: 1 }),
  }));
}

/** seccomp(2) and linux/bpf_common.h: what the program answers, and its few instructions. */
const allow = 0x7fff_0000;
const refuse = (error: number) => 0x0005_0000 | error;
const loadWord = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfAnyBit = 0x45;
const answer = 0x06;

/** Places in `seccomp_data`: number of the call, instruction set, lower half of the first parameter; 8 bytes each further one. */
const at = { number: 0, architecture: 4, firstParameter: 16 };

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * The seccomp program of every sandbox, as bubblewrap's `--seccomp` reads it; null for a processor that it does not
 * know. Everything that it does not name is allowed: namespaces and missing capabilities decide about that. No file gets a bit by which it runs as
 * its owner, nor, unless `sharedGroup`, one by which it runs in its group: in a folder whose group people share, new folders inherit that bit. `anyMode` is for a set-up,
 * whose packages may want such a bit and lose it in what is kept (`takeRights`).
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

/** Ends with an answer for every call of the set; jumps count the instructions they leave out. */
function filterOf({ architecture, socket, refused, modes }: SystemCalls, bits: number): Instruction[] {
  const families: Instruction[] = [
    [loadWord, 0, 0, at.firstParameter],
    ...socketFamilies.map(
      (family, index): Instruction => [jumpIfEqual, socketFamilies.length - index, 0, family],
    ),
    [answer, 0, 0, refuse(errno.EAFNOSUPPORT)],
    [answer, 0, 0, allow],
  ];
  // The x32 form of every x86-64 call has this bit, and would pass for another.
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

/** Refuses one call where its mode has one of the bits; for any other it goes on behind itself with the call's number. */
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

/** True for a folder in which everything belongs to its group, as people set one up who share it (inode(7), "The set-group-ID bit"). */
export function hasSharedGroup(folder: string): boolean {
  return (statSync(folder).mode & setgid) !== 0;
}
