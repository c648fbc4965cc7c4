import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPythonSessions, type PythonSessions } from '../../../src/extensions/python/python-session.ts';
import { findMonty } from '../../../src/run/extensions/find-monty.ts';
import { plainRunner } from '../../../src/sandbox/plain-processes.ts';
import { nodeCommand } from '../../../src/sandbox/reachable-node.ts';

/** Stands in for the package, which is 19 MB of native code: code that says what to print, give, throw or break. */
const standIn = `
import { writeSync } from 'node:fs';
const said = (code) => JSON.parse(code);
export class Monty {
  run() { writeSync(1, '\\n'); }
}
export class MontyRepl {
  constructor(given) { this.count = given.count ?? 0; this.limits = given.limits; }
  static load(dump) { return new MontyRepl(dump); }
  dump() { return { count: this.count, limits: this.limits }; }
  feed(code) {
    const { print, give, fail, die, hang } = said(code);
    this.count += 1;
    if (print !== undefined) writeSync(1, print);
    if (die) process.exit(3);
    if (hang) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (fail) throw Object.assign(new Error(fail), { display: () => 'Traceback\\n' + fail });
    return give === 'count' ? this.count : give === 'limits' ? Object.values(this.limits) : eval(give ?? 'null');
  }
}
`;

let folder: string;
let sessions: PythonSessions | undefined;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'python-')));
  for (const name of ['monty', `monty-${process.platform}-${process.arch}-gnu`]) {
    const place = path.join(folder, 'node_modules/@pydantic', name);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, 'index.js'), standIn);
    writeFileSync(path.join(place, 'package.json'), JSON.stringify({ type: 'module', main: 'index.js' }));
  }
});
afterEach(() => sessions?.close());
afterAll(() => rmSync(folder, { recursive: true }));

function open(answerMs = 20_000): PythonSessions {
  const found = findMonty(path.join(folder, 'program.js'));
  if (found === null) throw new Error('the stand-in is not found');
  sessions = createPythonSessions({
    file: found.file,
    cwd: folder,
    node: nodeCommand('', {}),
    runner: async () => plainRunner({ PATH: process.env.PATH ?? '' }),
    limits: { answerMs },
  });
  return sessions;
}

const run = (what: object, session = 'main', reset = false, signal = new AbortController().signal) =>
  sessions?.run(JSON.stringify(what), session, reset, signal);

describe('python', () => {
  test('keeps separate variables for each run until a reset, within limits for each call', async () => {
    open();
    const values = [
      await run({ give: 'count' }),
      await run({ give: 'count' }),
      await run({ give: 'count' }, 'child_1'),
      await run({ give: 'count' }, 'main', true),
      await run({ give: 'limits' }),
    ].map((result) => result?.value);
    expect(values).toEqual(['1', '2', '1', '1', '[10, 67108864, 500]']);
  });

  test('returns a long value whole, wherever its characters are split', async () => {
    open();
    const result = await run({ give: `'é€'.repeat(60000)` });
    expect(result?.value === `'${'é€'.repeat(60_000)}'`).toBe(true);
  });

  test('is started again by the next call after a failed start', async () => {
    const found = findMonty(path.join(folder, 'program.js'));
    let calls = 0;
    sessions = createPythonSessions({
      file: found?.file ?? '',
      cwd: folder,
      node: nodeCommand('', {}),
      async runner() {
        calls += 1;
        if (calls === 1) throw new Error('no sandbox just now');
        return plainRunner({ PATH: process.env.PATH ?? '' });
      },
    });
    await expect(run({ give: 'count' })).rejects.toThrow('the next call starts a new one');
    expect((await run({ give: 'count' }))?.value).toBe('1');
  });

  test("returns printed text and the last expression in Python's notation", async () => {
    open();
    expect(
      await run({
        print: 'one\ntwo',
        give: `[1.5, "a'b", null, true, new Map([['k', 2n]]), new Set([3]), NaN]`,
      }),
    ).toEqual({
      printed: 'one\ntwo',
      value: `[1.5, "a'b", None, True, {'k': 2}, {3}, nan]`,
      error: null,
    });
    expect(await run({ fail: 'NameError: x' })).toEqual({
      printed: '',
      value: null,
      error: 'Traceback\nNameError: x',
    });
    const { printed = '' } = (await run({ print: 'x'.repeat(300_000) })) ?? {};
    expect(printed.slice(-60)).toMatch(/x\n\[\d+ more bytes were printed\]$/);
  });

  test('restarts if the interpreter dies or never answers, and reports that its variables are gone', async () => {
    open(2_500);
    await run({ give: 'count' });
    const gone = { kind: 'failed', message: expect.stringContaining('Its variables are gone') };
    await expect(run({ die: true })).rejects.toMatchObject(gone);
    expect(await run({ give: 'count' })).toMatchObject({ value: '1' });
    await expect(run({ hang: true })).rejects.toMatchObject(gone);
    expect(await run({ give: 'count' })).toMatchObject({ value: '1' });
    const stopped = new AbortController();
    const hanging = run({ hang: true }, 'main', false, stopped.signal);
    stopped.abort(new Error('the run was stopped'));
    await expect(hanging).rejects.toThrow('the run was stopped');
  });

  test('is unavailable without the package', () => {
    expect(findMonty(path.join(tmpdir(), 'nowhere/program.js'))).toBeNull();
  });
});
