import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { syntaxProgram } from '../../../src/run/programs/process-program.ts';
import { createSyntaxParser } from '../../../src/tools/code/create-syntax-parser.ts';
import type { SyntaxParser } from '../../../src/tools/services/run-services.ts';

const request = { grammar: 'go', text: 'package a\nfunc f() {}\n', query: { name: 'f', prefix: false } };
const { signal } = new AbortController();
let parser: SyntaxParser;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'anode-syntax-'));
  parser = createSyntaxParser(syntaxProgram());
});
afterEach(async () => {
  await parser.close();
  rmSync(folder, { recursive: true });
});

/** The processes that this test has started and that are there still. */
function children(program = 'syntax-process'): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
        return (
          Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program)
        );
      } catch {
        return false;
      }
    });
}

/** A stand-in for the parser that follows the text. */
function fakeProgram(script: string): string {
  const file = path.join(folder, 'fake-process.mjs');
  writeFileSync(file, script);
  execFileSync('ln', ['-s', path.resolve('node_modules'), path.join(folder, 'node_modules')]);
  return file;
}

test('the parser starts with the first text, serves all texts, and ends with the run', async () => {
  const before = children().length;
  const both = await Promise.all([parser.analyse(request, signal), parser.analyse(request, signal)]);
  const during = children().length;
  await parser.close();
  expect({ before, during, after: children().length, same: both[0] }).toEqual({
    before: 0,
    during: 1,
    after: 0,
    same: both[1],
  });
});

test('a parser process killed between two texts or by one is restarted', async () => {
  const first = await parser.analyse(request, signal);
  const [pid] = children();
  // Never 0, which means this process and all of its group.
  if (pid === undefined) throw new Error('no process parses');
  process.kill(pid, 'SIGKILL');
  const answers = [await parser.analyse(request, signal), await parser.analyse(request, signal)];
  expect(answers.at(-1)).toEqual(first);
  expect(children()).not.toContain(pid);
});

test('an abort ends the process during its work, with the reason of the abort', async () => {
  const stuck = fakeProgram("process.on('message', () => { for (;;); }); process.send('ready');");
  const blocked = createSyntaxParser(stuck);
  const stop = new AbortController();
  const answer = blocked.analyse(request, stop.signal);
  const reason = new Error('stopped by the test');
  const deadline = Date.now() + 120_000;
  while (children('fake-process').length === 0 && Date.now() < deadline) await new Promise(setImmediate);
  stop.abort(reason);
  await expect(answer).rejects.toBe(reason);
  expect(children('fake-process')).toEqual([]);
  await blocked.close();
});

test('a text over the time limit is skipped, and the next one is parsed', async () => {
  const program = fakeProgram(
    "process.on('message', ({ text }) => { if (text === 'slow') for (;;); process.send({ symbols: [], cut: false }); }); process.send('ready');",
  );
  const impatient = createSyntaxParser(program, { answerMs: 200 });
  const slow = await impatient.analyse({ ...request, text: 'slow' }, signal);
  const next = await impatient.analyse(request, signal);
  await impatient.close();
  expect({ slow, next }).toEqual({ slow: 'slow', next: { symbols: [], cut: false } });
});

test('the process has no environment and opens only its own file', async () => {
  const program = fakeProgram(`
    import { readFileSync, writeFileSync } from 'node:fs';
    import { spawnSync } from 'node:child_process';
    const tried = (act) => { try { act(); return 'done'; } catch (error) { return error.code; } };
    process.on('message', () => process.send({
      secret: process.env.ANODE_TEST_SECRET ?? null,
      read: tried(() => readFileSync('/etc/passwd')),
      write: tried(() => writeFileSync('${folder}/made', '')),
      start: tried(() => spawnSync('true')),
    }));
    process.send('ready');`);
  process.env.ANODE_TEST_SECRET = 'x';
  const confined = createSyntaxParser(program);
  const reported = await confined.analyse(request, signal);
  await confined.close();
  delete process.env.ANODE_TEST_SECRET;
  const denied = 'ERR_ACCESS_DENIED';
  expect(reported).toEqual({ secret: null, read: denied, write: denied, start: denied });
});

test('without the package, or if its program does not start, there is no parser', async () => {
  const file = path.join(folder, 'alone.mjs');
  writeFileSync(file, "process.send('ready');");
  const without = await createSyntaxParser(file).analyse(request, signal);
  const dying = await createSyntaxParser(fakeProgram('process.exitCode = 1;')).analyse(request, signal);
  expect([without, dying]).toEqual([null, null]);
});

test('an idle parser that was not closed does not keep a program alive', () => {
  const script = path.join(folder, 'left-open.mjs');
  const from = path.resolve('src');
  writeFileSync(
    script,
    `import { createSyntaxParser } from '${from}/tools/code/create-syntax-parser.ts';
     const parser = createSyntaxParser('${from}/syntax-process.ts');
     const answer = await parser.analyse(${JSON.stringify(request)}, new AbortController().signal);
     console.log(answer.symbols.length);`,
  );
  const { stdout, status } = spawnSync(process.execPath, [script], { encoding: 'utf8', timeout: 60_000 });
  expect({ stdout, status }).toEqual({ stdout: '1\n', status: 0 });
});

test('the process has a memory limit, and exceeding it does not fail the run', async () => {
  const program = fakeProgram(`
    const tried = (act) => { try { act(); return 'done'; } catch (error) { return error.name; } };
    const held = [];
    process.on('message', ({ text }) => {
      while (text === 'fill') held.push(new Array(1000).fill(Math.random()));
      process.send({
        within: tried(() => new WebAssembly.Memory({ initial: 4096 })),
        beyond: tried(() => new WebAssembly.Memory({ initial: 4097 })),
      });
    });
    process.send('ready');`);
  const bounded = createSyntaxParser(program, { answerMs: 60_000 });
  const filled = await bounded.analyse({ ...request, text: 'fill' }, signal);
  const next = await bounded.analyse(request, signal);
  await bounded.close();
  expect({ filled, next }).toEqual({ filled: 'broken', next: { within: 'done', beyond: 'RangeError' } });
});
