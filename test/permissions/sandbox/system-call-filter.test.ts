import { expect, it } from 'vitest';
import { systemCallFilter } from '../../../src/permissions/sandbox/system-call-filter.ts';

/** What the kernel would answer, by its own rules for such a program (kernel documentation, "BSD Packet Filter"). */
function judge(program: Buffer, call: { architecture: number; number: number; parameter?: number }): string {
  const data = new Map([
    [0, call.number],
    [4, call.architecture],
    [16, call.parameter ?? 0],
  ]);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const value = program.readUInt32LE(at * 8 + 4);
    const jump = (holds: boolean) => program.readUInt8(at * 8 + (holds ? 2 : 3));
    if (code === 0x20) accumulator = data.get(value) ?? Number.NaN;
    else if (code === 0x15) at += jump(accumulator === value);
    else if (code === 0x35) at += jump(accumulator >= value);
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

it.each(processors)('on $processor it lets pass what programs need, and nothing that no namespace holds', ({
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
    const refused = [...keys, ...rest, 425, 426, 427];
    expect(refused.map((number) => answer(number))).toEqual(refused.map(() => 'error 38'));
    const others = Array.from({ length: 460 }, (_, number) => number).filter(
      (number) => number !== socket && !refused.includes(number),
    );
    expect(others.filter((number) => answer(number) !== 'allowed')).toEqual([]);
    expect(answer(read)).toBe('allowed');
  }
  expect(judge(program, { architecture: foreign, number: 1 })).toBe('error 38');
});

it('on x64 no call passes under the number of its x32 form', () => {
  const program = systemCallFilter('x64') ?? Buffer.alloc(0);
  expect(judge(program, { architecture: 0xc000_003e, number: 0x4000_0000 + 41, parameter: 40 })).toBe(
    'error 38',
  );
});

it('is none for a processor that it does not know', () => {
  expect(systemCallFilter('riscv64')).toBe(null);
});
