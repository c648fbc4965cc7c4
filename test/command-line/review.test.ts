import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sarifProblems } from '../support/sarif/sarif-problems.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal, type Tree } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const noKeys = { environment: { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' } };
const marker = 'let a = 1;\n>>>>>>> other\n';

/** A checkout with a branch `topic`, checked out, whose commit brings these files. */
async function changed(before: Tree, after: Tree): Promise<string> {
  const folder = await local.checkout(before);
  await local.git(folder, 'branch', 'start');
  const { writeFile, mkdir } = await import('node:fs/promises');
  for (const [name, text] of Object.entries(after)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

const review = (folder: string, ...args: string[]) =>
  local.anode(folder, ['review', '--base', 'start', '--checks-only', '--sandbox', 'off', ...args], noKeys);

test('the work tree is reviewed without a model or a key, and findings set the exit code', async () => {
  const folder = await changed({ 'a.txt': 'a\n' }, { 'b.c': marker });
  const bad = await review(folder);
  expect({ code: bad.code, stdout: bad.stdout }).toEqual({
    code: 1,
    stdout:
      'b.c:2 high A conflict marker is left [conflicts]\n    This line is a marker of a merge conflict, left over from resolving it.\n\n1 finding: 1 high\n',
  });
  expect(bad.stderr).toBe('! Linters did not run: they need a working sandbox.\n');
  expect((await review(folder, '--threshold', 'critical')).code).toBe(0);
  expect((await review(folder, '--threshold', 'none')).code).toBe(0);
  expect(local.model.requests).toEqual([]);
});

test('a head is reviewed from its merge base, whatever the work tree has', async () => {
  const folder = await changed({ 'a.txt': 'a\n' }, { 'b.c': marker });
  await local.git(folder, 'add', '-A');
  await local.git(folder, 'commit', '-q', '-m', 'Topic');
  await local.git(folder, 'branch', 'topic');
  await local.git(folder, 'checkout', '-q', 'start');
  const results = [
    await review(folder, '--head', 'topic'),
    await review(folder, '--head', 'HEAD'),
    await review(folder),
  ];
  expect(results.map(({ code, stdout }) => [code, stdout.split('\n').at(-2)])).toEqual([
    [1, '1 finding: 1 high'],
    [0, 'No findings'],
    [0, 'No findings'],
  ]);
});

test('150,000 conflict markers give a limited number of findings', async () => {
  const folder = await changed({ 'a.txt': 'a\n' }, { 'b.c': '>>>>>>> other\n'.repeat(150_000) });
  const { code, stdout, stderr } = await review(folder);
  expect({ code, last: stdout.split('\n').at(-2) }).toEqual({
    code: 1,
    last: '21 findings: 20 high, 1 medium',
  });
  expect(stderr).toContain('! The check conflicts found 149980 more (review.checks.conflicts.maximum).\n');
});

test('json, sarif and markdown have the same findings, optionally in a file', async () => {
  const folder = await changed({ 'a.txt': 'a\n' }, { 'b.c': marker });
  const json = await review(folder, '--format', 'json');
  expect(JSON.parse(json.stdout)).toEqual({
    conclusion: 'success',
    answer: '7 checks without a model looked at the change and found one thing.',
    run_id: expect.stringMatching(/^run_\w+$/),
    threshold: 'medium',
    findings: [expect.objectContaining({ path: 'b.c', line: 2, check: 'conflicts' })],
    notes: ['Linters did not run: they need a working sandbox.'],
  });
  const sarif = await review(folder, '--format', 'sarif', '--output', 'out.sarif');
  expect(sarif).toMatchObject({ code: 1, stdout: '' });
  const log = JSON.parse(await readFile(path.join(folder, 'out.sarif'), 'utf8'));
  expect([sarifProblems(log), log.runs[0].results[0].ruleId]).toEqual([[], 'check/conflicts']);
  const markdown = await review(folder, '--format', 'markdown');
  expect(markdown.stdout).toBe(
    '## 1 finding: 1 high\n\n### high: A conflict marker is left\n\n`b.c:2`, check `conflicts`\n\nThis line is a marker of a merge conflict, left over from resolving it.\n',
  );
});

test("the base's configuration sets checks and threshold of a review, and nothing else", async () => {
  const config =
    'model: no/such\nreview: { checksOnly: true, minSeverity: critical, checks: { unicode: false } }\n';
  const folder = await changed(
    { '.github/anode.yml': config },
    { 'b.c': `${marker}let x\u200B;\n`, '.github/anode.yml': 'review: { checks: { conflicts: false } }\n' },
  );
  const { code, stdout } = await local.anode(
    folder,
    ['review', '--base', 'start', '--sandbox', 'off'],
    noKeys,
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'No findings\n' });
});

test('a review with a model has findings of both, each once', async () => {
  const config = 'review: { instructions: [{ paths: "*.c", text: Only C99. }] }\n';
  const folder = await changed({ 'a.txt': 'a\n', '.github/anode.yml': config }, { 'b.c': marker });
  const told = { path: 'b.c', severity: 'high', body: 'Look.' };
  local.learn('Only C99.', (turn) =>
    turn === 1
      ? {
          calls: [
            call('report_findings', {
              findings: [
                { ...told, line: 2, category: 'conflicts', title: 'A marker' },
                { ...told, line: 1, category: 'bug', title: 'Wrong number' },
              ],
            }),
          ],
        }
      : { text: 'Done.' },
  );
  const { code, stdout } = await local.anode(folder, ['review', '--base', 'start', '--sandbox', 'off']);
  const titles = stdout.split('\n').filter((line) => /^\S+:\d/.test(line));
  expect(stdout.split('\n').slice(-4)).toEqual(['Done.', '', '2 findings: 2 high', '']);
  expect({ code, titles }).toEqual({
    code: 1,
    titles: ['b.c:1 high Wrong number [review]', 'b.c:2 high A conflict marker is left [conflicts]'],
  });
  const [request] = local.requestsFor('Only C99.');
  expect(JSON.stringify(request?.messages)).toContain('For b.c:\\nOnly C99.');
  expect(JSON.stringify(request?.messages)).toContain(
    'do not report it again:\\n- \\"b.c\\":2 A conflict marker is left (conflicts)',
  );
});

test('uses the instructions of the base, not those of the change', async () => {
  const folder = await changed(
    { 'a.txt': 'a\n', 'AGENTS.md': 'Only the base says this.\n' },
    { 'a.txt': 'c\n', 'AGENTS.md': 'The change says this.\n' },
  );
  local.learn('Only the base says this.', () => ({ text: 'Done.' }));
  await local.anode(folder, ['review', '--base', 'start', '--sandbox', 'off']);
  const [request] = local.requestsFor('Only the base says this.');
  const text = JSON.stringify(request?.messages);
  const instructions = text.indexOf('Only the base says this.');
  // The change's own text is in the diff alone, behind the instructions.
  expect(text.indexOf('The change says this.')).toBeGreaterThan(instructions);
  expect(text.slice(instructions).match(/The change says this\./g)).toHaveLength(1);
  expect(text).toContain('+The change says this.');
});

test('a model that reports findings only in its text has not finished the review', async () => {
  const folder = await changed({ 'a.txt': 'a\n' }, { 'a.txt': 'b\n' });
  local.learn('Review this change.', () => ({ text: 'a.txt:1 is wrong now.' }));
  const ended = await local.anode(folder, ['review', '--base', 'start', '--sandbox', 'off']);
  expect([ended.code, ended.stdout]).toEqual([3, 'a.txt:1 is wrong now.\n\nNo findings\n']);
  expect(ended.stderr).toContain(
    '! The model reported nothing with report_findings: what it found, if anything, stands in its words alone.\n',
  );
});

test('bad usage is reported and ends with 2', async () => {
  const folder = await local.checkout({ 'a.txt': 'a\n' });
  const plain = await local.plainFolder({ 'a.txt': 'a\n' });
  const uses: [string, string[], string][] = [
    [folder, [], '--base is missing: the branch or commit to compare with.'],
    [
      folder,
      ['--base', 'nowhere'],
      'There is no commit called "nowhere" here. In a shallow clone, fetch it first.',
    ],
    [folder, ['--base', 'HEAD', '--format', 'xml'], '--format takes text, json, sarif, markdown, not "xml".'],
    [plain, ['--base', 'HEAD'], `${plain} is not a git repository.`],
  ];
  for (const [where, args, problem] of uses) {
    const { code, stderr } = await local.anode(where, ['review', '--checks-only', ...args], noKeys);
    expect([code, stderr.split('\n')[0]]).toEqual([2, `anode review: ${problem}`]);
  }
});
