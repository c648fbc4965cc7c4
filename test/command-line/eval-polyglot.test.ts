import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal, type Tree } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const at = 'javascript/exercises/practice/greet/';
const spec = `
import assert from 'node:assert';
import { greet } from './greet.js';
const test = (title, run) => run();
const xtest = () => undefined;
test('greets', () => assert.equal(greet('Ada'), 'Hello, Ada'));
xtest('greets no one', () => assert.equal(greet(''), 'Hello'));
`;
const solved = `export const greet = (name) => (name === '' ? 'Hello' : 'Hello, ' + name);\n`;

/** A checkout with one made-up exercise, whose tests need no more than node. */
const checkout = (marker: string, changes: Tree = {}) =>
  local.plainFolder({
    'javascript/node_modules/.bin/jest': '',
    [`${at}.meta/config.json`]: JSON.stringify({
      files: { solution: ['greet.js'], test: ['greet.spec.js'], example: ['.meta/proof.ci.js'] },
    }),
    [`${at}.meta/proof.ci.js`]: solved,
    [`${at}.docs/instructions.md`]: `# ${marker}\n\nGreet by name.\n`,
    [`${at}package.json`]: '{ "type": "module", "scripts": { "test": "node greet.spec.js" } }\n',
    [`${at}greet.js`]: `export const greet = () => 'TODO';\n`,
    [`${at}greet.spec.js`]: spec,
    ...changes,
  });

const evaluate = (folder: string, ...args: string[]) =>
  local.anode(folder, ['eval', '--polyglot', '.', ...args]);
const writes = (content: string) => ({
  calls: [call('create_file', { path: 'greet.js', content, overwrite: true })],
});
const reads = { calls: [call('read', { path: 'greet.js' })] };

describe.skipIf(!available)('anode eval --polyglot', () => {
  test('plays the reference solution through the loop, and counts by language', async () => {
    const { code, stdout } = await evaluate(await checkout('POLY-REFERENCE'), '--reference', '--json');
    const [candidate] = JSON.parse(stdout).candidates;
    expect([code, candidate.by, candidate.groups]).toEqual([
      0,
      'reference',
      [expect.objectContaining({ group: 'javascript', trials: 1, passed: 1, passed_first: 1, turns: 3 })],
    ]);
    expect(candidate.tasks[0].trials).toMatchObject([
      { task: 'javascript/greet', result: 'passed', tries: 1 },
    ]);
  });

  test('tries twice: the tests are hidden, also run what they leave out, and their output is told', async () => {
    const found: unknown[] = [];
    local.learn('POLY-TWICE', (turn, request) => {
      const text = JSON.stringify(request.messages);
      if (turn === 1)
        return { calls: [call('read', { path: 'greet.spec.js' }), call('read', { path: 'greet.js' })] };
      if (turn === 2) found.push(text.includes('import assert'), text.includes('An earlier try'));
      if (turn === 2 && text.includes("'Hello'")) return writes(solved);
      if (turn === 2) return writes(`export const greet = (name) => 'Hello, ' + name;\n`);
      return { text: 'Done.' };
    });
    const { code, stdout } = await evaluate(await checkout('POLY-TWICE'));
    expect([code, found]).toEqual([0, [false, false, false, true]]);
    expect(stdout).toMatch(/\n {2}group +passed +rate +first try.*\n {2}javascript +1\/1 +100 % +0 +6 /);
  });

  test('fails after two tries', async () => {
    local.learn('POLY-NEVER', (turn) => (turn === 1 ? reads : { text: 'I cannot.' }));
    const { code, stdout } = await evaluate(await checkout('POLY-NEVER'), '--json');
    expect([code, JSON.parse(stdout).candidates[0].tasks[0].trials]).toMatchObject([
      1,
      [{ result: 'failed', tries: 2, turns: 4 }],
    ]);
  });

  test('skips a language without its tools, and an exercise that passes as it is', async () => {
    const bare = await local.plainFolder({
      [`${at}.meta/config.json`]: '{ "files": { "solution": ["a.js"], "test": ["a.spec.js"] } }',
      [`${at}a.spec.js`]: '',
    });
    const lacking = await evaluate(bare);
    expect([lacking.code, lacking.stdout]).toEqual([
      1,
      expect.stringContaining(
        'Skipped 1: node, npm or javascript/node_modules/.bin/jest is missing in the sandbox (javascript/greet)',
      ),
    ]);
    const done = await evaluate(await checkout('POLY-DONE', { [`${at}greet.js`]: solved }), '--json');
    expect([done.code, JSON.parse(done.stdout).skipped]).toEqual([
      1,
      [
        {
          task: 'javascript/greet',
          reason: 'its check passes before the run, so it would show nothing',
        },
      ],
    ]);
    expect(local.requestsFor('POLY-DONE')).toEqual([]);
  });

  test('takes a language, names with and without it, and a limit for each language', async () => {
    const folder = await checkout('POLY-CHOICE');
    const firstLine = async (...args: string[]) => (await evaluate(folder, ...args)).stderr.split('\n')[0];
    expect([
      await firstLine('--language', 'pyton'),
      await firstLine('--language', 'go'),
      await firstLine('--task', 'nothing'),
      (await local.anode(folder, ['eval', '.', '--limit', '1'])).stderr.split('\n')[0],
      await firstLine('--reference', '--task', 'greet', '--limit', '1'),
      await firstLine('--reference', '--task', 'javascript/*'),
    ]).toEqual([
      'anode eval: --language takes cpp, go, java, javascript, python, rust, not "pyton". Did you mean python?',
      expect.stringContaining('has no exercise in LANGUAGE/exercises/practice, for the languages go.'),
      'anode eval: there is no task nothing. The tasks: javascript/greet.',
      'anode eval: --limit needs --polyglot.',
      'passed javascript/greet, reference',
      'passed javascript/greet, reference',
    ]);
  });
});
