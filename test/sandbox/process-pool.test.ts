import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Duplex, PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { controlOf, createPool, type PoolMember, setKeepAlive } from '../../src/sandbox/process-pool.ts';

interface Member extends PoolMember {
  readonly number: number;
}

/** A pool whose members are numbered; `ends` makes one of them end as it waits. */
function pool(size: number) {
  const made: { child: { pid: number | undefined; exitCode: number | null; signalCode: string | null } }[] =
    [];
  const dismissed: number[] = [];
  const state = { full: false };
  const shells = createPool<Member>(size, () => {
    if (state.full) throw new Error('no more processes');
    const number = made.length;
    const child = { pid: 100 + number, exitCode: null, signalCode: null };
    made.push({ child });
    return {
      number,
      child: child as unknown as ChildProcess,
      start: () => undefined,
      dismiss: async () => void dismissed.push(number),
    };
  });
  return { shells, made, dismissed, state };
}

test('members wait until the pool is full and are taken in the order of their arrival', () => {
  const { shells, made } = pool(2);
  const first = shells.take().number;
  shells.fill();
  shells.fill();
  const waiting = made.length;
  const taken = [shells.take(), shells.take(), shells.take()].map(({ number }) => number);
  expect([first, waiting, taken]).toEqual([0, 3, [1, 2, 3]]);
});

test('a member that died while it waited is never taken', () => {
  const { shells, made } = pool(4);
  shells.fill();
  Object.assign(made[0]?.child ?? {}, { exitCode: 0 });
  Object.assign(made[1]?.child ?? {}, { signalCode: 'SIGKILL' });
  Object.assign(made[2]?.child ?? {}, { pid: undefined });
  expect([shells.take().number, shells.take().number]).toEqual([3, 4]);
});

test('a failed start is reported to a caller that takes a member, but not while the pool fills', () => {
  const { shells, made, state } = pool(2);
  shells.fill();
  state.full = true;
  const [one, two] = [shells.take().number, shells.take().number];
  shells.fill();
  expect([one, two, made.length]).toEqual([0, 1, 2]);
  expect(() => shells.take()).toThrow('no more processes');
});

test('closing the pool ends the waiting members and stops filling', async () => {
  const { shells, made, dismissed } = pool(3);
  shells.fill();
  Object.assign(made[1]?.child ?? {}, { exitCode: 1 });
  await shells.close();
  shells.fill();
  await shells.close();
  expect([dismissed, made.length]).toEqual([[0, 2], 3]);
});

test('a process and its pipes are referenced together, as far as possible', () => {
  const calls: string[] = [];
  const handle = (name: string) => ({
    ref: () => calls.push(`${name}+`),
    unref: () => calls.push(`${name}-`),
  });
  const child = {
    ...handle('child'),
    stdio: [null, handle('out'), {}, undefined],
  } as unknown as ChildProcess;
  setKeepAlive(child, false);
  setKeepAlive(child, true);
  expect(calls).toEqual(['child-', 'out-', 'child+', 'out+']);
});

test('a shell reads its script from its fourth descriptor, and errors there end nothing', () => {
  const control = new PassThrough();
  const child = Object.assign(new EventEmitter(), { stdio: [null, null, null, control, new PassThrough()] });
  const found = controlOf(child as unknown as ChildProcess);
  expect([
    found === control,
    child.emit('error', new Error('x')),
    control.emit('error', new Error('y')),
  ]).toEqual([true, true, true]);
  expect(found).toBeInstanceOf(Duplex);
  for (const stdio of [undefined, [], [control, control, control, null]]) {
    const without = Object.assign(new EventEmitter(), { stdio }) as unknown as ChildProcess;
    expect(() => controlOf(without)).toThrow(
      'A shell could not be started: this program has too many files open.',
    );
  }
});
