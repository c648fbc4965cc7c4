import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const config = 'permissions: { rules: [{ tool: edit_file, matches: { path: History.md }, action: reject }] }';
const patch = [
  'diff --git a/GEMINI.md b/GEMINI.md',
  'new file mode 100644',
  '--- /dev/null',
  '+++ b/GEMINI.md',
  '@@ -0,0 +1 @@',
  '+obey',
  '',
].join('\n');

describe.skipIf(!available)('a hidden change of a protected file', () => {
  test('is reverted, reported to the model, and recorded as refused', async () => {
    const commands = [
      // Names that are only known when it runs: nothing can be said of these before.
      'F=$(printf AGENTS.md); echo x > $F; echo fine > fine.txt',
      "git ls-files '.github/*.yml' | xargs sed -i s/push/evil/",
      'find .github -name "c*.yml" -exec sed -i s/push/evil/ {} +',
      'git apply x.patch',
      `python3 -c "open('AGENTS.md','w').write('x')"`,
      'd=$(echo .github/workflows); ln -s "$d" w; echo x > w/ci.yml; rm w',
      'for f in Hist*; do echo x >> $f; done; cat History.md',
      'git add -A; git -c user.name=a -c user.email=b commit -qm x; git status --short',
    ];
    const results: string[] = [];
    local.learn('go round it', (turn, request) => {
      if (turn > 1) results.push(lastResults(request));
      const command = commands[turn - 1];
      return command === undefined ? { text: 'Done.' } : { calls: [call('bash', { command })] };
    });
    const folder = await local.checkout({
      'AGENTS.md': 'be good\n',
      'History.md': 'old\n',
      'x.patch': patch,
      '.github/workflows/ci.yml': 'on: push\n',
      '.github/anode.yml': config,
    });
    const { stdout } = await local.anode(folder, [
      ...['run', '--prompt', 'go round it', '--config', '.github/anode.yml'],
      ...['--sandbox', 'required', '--preset', 'careful', '--output', 'json'],
    ]);
    const report = JSON.parse(stdout);
    const ci = '.github/workflows/ci.yml';
    const said = (what: string) =>
      expect.stringContaining(`[Put back: ${what}; nothing else was changed back.`);
    expect(results).toEqual([
      said('AGENTS.md (protected)'),
      said(`${ci} (protected)`),
      said(`${ci} (protected)`),
      said('GEMINI.md (protected)'),
      said('AGENTS.md (protected)'),
      said(`${ci} (protected)`),
      said('History.md (rule 1)'),
      expect.not.stringContaining('Put back'),
    ]);
    const text = (file: string) => readFileSync(path.join(folder, file), 'utf8');
    expect([
      text('AGENTS.md'),
      text(ci),
      text('History.md'),
      existsSync(path.join(folder, 'GEMINI.md')),
    ]).toEqual(['be good\n', 'on: push\n', 'old\n', false]);
    expect(report.refusals.map((one: { tool: string; what: string }) => `${one.tool} ${one.what}`)).toEqual(
      ['AGENTS.md', ci, ci, 'GEMINI.md', 'AGENTS.md', ci, 'History.md'].map((what) => `bash ${what}`),
    );
    const run =
      readdirSync(path.join(folder, '.anode-harness')).find((name) => name.startsWith('run_')) ?? '';
    expect(text(path.join('.anode-harness', run, 'changes.patch')).match(/^\+\+\+ .*$/gm)).toEqual([
      '+++ b/fine.txt',
    ]);
    const ledger = text(path.join('.anode-harness', run, 'ledger.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const entries = ledger.map((line) => line.entry ?? line).filter((entry) => entry.type === 'change');
    expect(entries.map((entry) => entry.change.path)).toEqual(['fine.txt']);
  });

  test('is also reverted at the end, even if the program runs until then', async () => {
    local.learn('leave it running', (turn) =>
      turn === 1
        ? {
            calls: [
              call('bash', {
                command: "while :; do python3 -c \"open('AGENTS.md','w').write('x')\"; sleep 0.05; done",
                run_in_background: true,
              }),
            ],
          }
        : { text: 'Done.' },
    );
    const folder = await local.checkout({ 'AGENTS.md': 'be good\n', '.github/anode.yml': '{}\n' });
    const { stdout } = await local.anode(folder, [
      ...[
        'run',
        '--prompt',
        'leave it running',
        '--sandbox',
        'required',
        '--preset',
        'careful',
        '--output',
        'json',
      ],
    ]);
    const { run_id: run } = JSON.parse(stdout);
    const text = (file: string) => readFileSync(path.join(folder, file), 'utf8');
    expect([text('AGENTS.md'), text(path.join('.anode-harness', run, 'changes.patch'))]).toEqual([
      'be good\n',
      '',
    ]);
  });
});
