/** The system calls of one instruction set, by their numbers (the kernel's `unistd.h` of each). */
interface SystemCalls {
  /** As `seccomp_data.arch` tells it (linux/audit.h). */
  readonly architecture: number;
  readonly socket: number;
  readonly refused: readonly number[];
}

/**
 * What no build or test needs, and what namespaces do not hold: key rings (a process keeps that of the session
 * it was started from), io_uring (it opens sockets without the call for it), bpf, perf_event_open and userfaultfd (ways into
 * the kernel). In this order: add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd, io_uring_setup,
 * io_uring_enter, io_uring_register. The 32-bit x86 has one more, socketcall, whose parameters cannot be looked at.
 */
const x64: SystemCalls = {
  architecture: 0xc000_003e,
  socket: 41,
  refused: [248, 249, 250, 298, 321, 323, 425, 426, 427],
};
const x86: SystemCalls = {
  architecture: 0x4000_0003,
  socket: 359,
  refused: [286, 287, 288, 336, 357, 374, 425, 426, 427, 102],
};
const arm64: SystemCalls = {
  architecture: 0xc000_00b7,
  socket: 198,
  refused: [217, 218, 219, 241, 280, 282, 425, 426, 427],
};
const arm: SystemCalls = {
  architecture: 0x4000_0028,
  socket: 281,
  refused: [309, 310, 311, 364, 386, 388, 425, 426, 427],
};

/** A processor runs the programs of its own instruction set and those of its 32-bit forebear. */
const spoken: Readonly<Record<string, readonly SystemCalls[]>> = { x64: [x64, x86], arm64: [arm64, arm] };

/**
 * UNIX, INET, INET6, NETLINK: all of which belong to the network namespace. Others do not, VSOCK above all: in a
 * virtual machine it reaches the host, past every namespace.
 */
const socketFamilies = [1, 2, 10, 16];

const errno = { ENOSYS: 38, EAFNOSUPPORT: 97 };

/** seccomp(2) and linux/bpf_common.h: what the program answers, and its few instructions. */
const allow = 0x7fff_0000;
const refuse = (error: number) => 0x0005_0000 | error;
const loadWord = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const answer = 0x06;

/** Places in `seccomp_data`: number of the call, instruction set, lower half of the first parameter. */
const at = { number: 0, architecture: 4, firstParameter: 16 };

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * The seccomp program of every sandbox, as bubblewrap's `--seccomp` reads it; null for a processor that it does not
 * know. Everything that it does not name is allowed: namespaces and missing capabilities decide about that.
 */
export function systemCallFilter(processor: string): Buffer | null {
  const sets = spoken[processor];
  if (sets === undefined) return null;
  const program: Instruction[] = [[loadWord, 0, 0, at.architecture]];
  for (const calls of sets) {
    const body = filterOf(calls);
    program.push([jumpIfEqual, 0, body.length, calls.architecture], ...body);
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
function filterOf({ architecture, socket, refused }: SystemCalls): Instruction[] {
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
    ...unknown,
    ...refused.map((call, index): Instruction => [jumpIfEqual, refused.length - index + 1, 0, call]),
    [jumpIfEqual, 2, 0, socket],
    [answer, 0, 0, allow],
    [answer, 0, 0, refuse(errno.ENOSYS)],
    ...families,
  ];
}
