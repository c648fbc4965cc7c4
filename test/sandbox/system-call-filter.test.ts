import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasSharedGroup, systemCallFilter } from '../../src/sandbox/system-call-filter.ts';

/**
 * The kernel's answer, by its own rules for such a program (kernel documentation, "BSD Packet
 * Filter").
 */
function judge(
  program: Buffer,
  call: { architecture: number; number: number; parameter?: number; more?: readonly number[] },
): string {
  const data = new Map([
    [0, call.number],
    [4, call.architecture],
    [16, call.parameter ?? 0],
    ...(call.more ?? [0, 0, 0]).map((value, index) => [24 + 8 * index, value] as const),
  ]);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const value = program.readUInt32LE(at * 8 + 4);
    const jump = (holds: boolean) => program.readUInt8(at * 8 + (holds ? 2 : 3));
    if (code === 0x20) accumulator = data.get(value) ?? Number.NaN;
    else if (code === 0x15) at += jump(accumulator === value);
    else if (code === 0x35) at += jump(accumulator >= value);
    else if (code === 0x45) at += jump((accumulator & value) !== 0);
    else if (code === 0x06) return value === 0x7fff_0000 ? 'allowed' : `error ${value - 0x5_0000}`;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error('the program ends without an answer');
}

const processors = [
  {
    processor: 'x64',
    sets: [
      { architecture: 0xc000_003e, socket: 41, read: 0, keys: [248, 249, 250], rest: [298, 321, 323] },
      { architecture: 0x4000_0003, socket: 359, read: 3, keys: [286, 287, 288], rest: [336, 357, 374, 102] },
    ],
    foreign: 0xc000_00b7,
  },
  {
    processor: 'arm64',
    sets: [
      { architecture: 0xc000_00b7, socket: 198, read: 63, keys: [217, 218, 219], rest: [241, 280, 282] },
      { architecture: 0x4000_0028, socket: 281, read: 3, keys: [309, 310, 311], rest: [364, 386, 388] },
    ],
    foreign: 0xc000_003e,
  },
];

it.each(
  processors,
)('the filter for $processor permits what programs need, and nothing that no namespace isolates', ({
  processor,
  sets,
  foreign,
}) => {
  const program = systemCallFilter(processor) ?? Buffer.alloc(0);
  for (const { architecture, socket, read, keys, rest } of sets) {
    const answer = (number: number, parameter?: number) =>
      judge(program, { architecture, number, ...(parameter === undefined ? {} : { parameter }) });
    const families = Array.from({ length: 64 }, (_, family) => family);
    expect(families.filter((family) => answer(socket, family) === 'allowed')).toEqual([1, 2, 10, 16]);
    expect(answer(socket, 40)).toBe('error 97');
    const refused = [...keys, ...rest, 425, 426, 427, 437];
    expect(refused.map((number) => answer(number))).toEqual(refused.map(() => 'error 38'));
    const others = Array.from({ length: 460 }, (_, number) => number).filter(
      (number) => number !== socket && !refused.includes(number),
    );
    expect(others.filter((number) => answer(number) !== 'allowed')).toEqual([]);
    expect(answer(read)).toBe('allowed');
  }
  expect(judge(program, { architecture: foreign, number: 1 })).toBe('error 38');
});

it('on x64 no call passes by the number of its x32 form', () => {
  const program = systemCallFilter('x64') ?? Buffer.alloc(0);
  expect(judge(program, { architecture: 0xc000_003e, number: 0x4000_0000 + 41, parameter: 40 })).toBe(
    'error 38',
  );
});

it('an unknown processor has no filter', () => {
  expect(systemCallFilter('riscv64')).toBe(null);
});

it("no call sets the bit that runs a file as its owner, nor the group's bit outside a shared group", () => {
  const made = 0o100;
  const temporary = 0o20000000;
  // The parameters after the first, with a mode in the last place named.
  const calls = (mode: number, flags: number): readonly (readonly [number: number, ...number[]])[] => [
    ...([2, 85, 90, 91, 133].map((number) => (number === 2 ? [2, flags, mode, 0] : [number, mode, 0, 0])) as [
      number,
      ...number[],
    ][]),
    [257, 0, flags, mode],
    [259, 0, mode, 0],
    [268, 0, mode, 0],
    [452, 0, mode, 0],
  ];
  const answers = (mode: number, flags: number, sharedGroup = false) => {
    const program = systemCallFilter('x64', { sharedGroup }) ?? Buffer.alloc(0);
    const all = calls(mode, flags).map(([number, ...more]) =>
      judge(program, { architecture: 0xc000_003e, number, more }),
    );
    return [...new Set(all)];
  };
  expect([
    answers(0o755, made),
    answers(0o1777, made),
    answers(0o4755, made),
    answers(0o2755, made),
    answers(0o4000, temporary),
    answers(0o2755, made, true),
    answers(0o6755, made, true),
    // What is only opened has no mode.
    answers(0o4755, 0),
  ]).toEqual([
    ...[['allowed'], ['allowed'], ['error 1'], ['error 1'], ['error 1'], ['allowed'], ['error 1']],
    ['allowed', 'error 1'],
  ]);
});

/**
 * The calls with a mode of each instruction set, by the position of the mode after the first
 * parameter (the kernel's `unistd.h`).
 */
const modeCalls = [
  { processor: 'x64', architecture: 0xc000_003e, at: [[85, 90, 91, 133], [2, 259, 268, 452], [257]] },
  { processor: 'x64', architecture: 0x4000_0003, at: [[8, 15, 94, 14], [5, 297, 306, 452], [295]] },
  { processor: 'arm64', architecture: 0xc000_00b7, at: [[52], [33, 53, 452], [56]] },
  { processor: 'arm64', architecture: 0x4000_0028, at: [[8, 15, 94, 14], [5, 324, 333, 452], [322]] },
];

it.each(modeCalls)('each mode on $processor is checked with the call numbers of $architecture', ({
  processor,
  architecture,
  at,
}) => {
  const program = systemCallFilter(processor) ?? Buffer.alloc(0);
  const numbers = Array.from({ length: 460 }, (_, number) => number);
  /** The calls that are refused for a mode in this place alone, with every flag in all places before it. */
  const refusedFor = (place: number) => {
    const more = [0, 1, 2].map((index) => (index === place ? 0o4755 : index < place ? 0o100 : 0));
    return numbers.filter((number) => judge(program, { architecture, number, more }) === 'error 1');
  };
  const sorted = (some: readonly number[]) => some.toSorted((one, other) => one - other);
  expect([0, 1, 2].map(refusedFor)).toEqual(at.map(sorted));
});

it.each([
  { processor: 'x64', architecture: 0xc000_003e, open: [2, 257] },
  { processor: 'x64', architecture: 0x4000_0003, open: [5, 295] },
  { processor: 'arm64', architecture: 0xc000_00b7, open: [56] },
  { processor: 'arm64', architecture: 0x4000_0028, open: [5, 322] },
])('flags of an open on $processor are never mistaken for a call number of $architecture', ({
  processor,
  architecture,
  open,
}) => {
  const program = systemCallFilter(processor) ?? Buffer.alloc(0);
  // All flags without O_CREAT that are also a number of a call.
  const flags = Array.from({ length: 460 }, (_, number) => number).filter((one) => (one & 0o100) === 0);
  const refused = open.flatMap((number) =>
    flags.filter(
      (flag) =>
        judge(program, { architecture, number, more: number > 50 ? [0, flag, 0] : [flag, 0, 0] }) !==
        'allowed',
    ),
  );
  expect(refused).toEqual([]);
});

it('a set-up may set modes, and its stored result loses these bits', () => {
  const program = systemCallFilter('x64', { anyMode: true }) ?? Buffer.alloc(0);
  expect(judge(program, { architecture: 0xc000_003e, number: 90, more: [0o6755] })).toBe('allowed');
});

it.each([
  [0o700, false],
  [0o1777, false],
  [0o4700, false],
  [0o2775, true],
])('the group of a folder with mode %o is shared: %s', (mode, shared) => {
  const folder = mkdtempSync(join(tmpdir(), 'anode-group-'));
  chmodSync(folder, mode);
  expect(hasSharedGroup(folder)).toBe(shared);
  rmdirSync(folder);
});
