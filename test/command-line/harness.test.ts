import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
  local.learn('Greet', (turn) => {
    if (turn === 1)
      return { calls: [call('read', { path: 'a.txt' }), call('read', { path: 'missing.txt' })] };
    if (turn === 2) return { calls: [call('edit_file', { path: 'b.txt', old_str: 'old', new_str: 'new' })] };
    return { text: 'Done.' };
  });
});
afterAll(() => local.close());

/** A run in a checkout of its own, with its id. */
async function recordedRun(environment: Readonly<Record<string, string>> = {}) {
  const folder = await local.checkout({ 'a.txt': 'hello\n', 'b.txt': 'old\n' });
  const ran = await local.anode(folder, ['run', '--prompt', 'Greet', '--output', 'json'], { environment });
  expect(ran.code).toBe(0);
  return { folder, runId: String(JSON.parse(ran.stdout).run_id) };
}

const harness = (folder: string, ...args: string[]) => local.anode(folder, ['harness', ...args]);

test('inspects a run: settings, calls with decisions and hashes, changes and the end', async () => {
  const { folder, runId } = await recordedRun();
  const { code, stdout } = await harness(folder, 'inspect', runId);
  expect(code).toBe(0);
  for (const text of [`Run:      ${runId}`, 'profile craft, preset careful', 'success, 3 turns'])
    expect(stdout).toContain(text);
  expect(stdout).toContain('modify b.txt (risk low, unchecked, by edit_file)');
  expect(stdout).toMatch(/read a\.txt: allow \(auto_read\), \d+ characters, sha256 [0-9a-f]{12}/);
  expect(stdout).toMatch(/read missing\.txt: allow \(auto_read\), not_found/);
});

test('leaves a trace of the raw events, and shows it', async () => {
  const { folder, runId } = await recordedRun();
  const file = path.join(folder, '.anode-harness', runId, 'trace.jsonl');
  const events = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(events.filter(({ type }) => type === 'text.delta')).toEqual([{ type: 'text.delta', text: 'Done.' }]);
  const ledger = await harness(folder, 'ledger', runId, '--json');
  const entries = JSON.parse(ledger.stdout).map(
    ({ seq, entry }: { seq: number; entry: { type: string } }) => ({
      ...{ type: 'ledger', entry: entry.type, seq },
    }),
  );
  expect(events.filter(({ type }) => type === 'ledger')).toEqual(entries);
  expect((await harness(folder, 'inspect', runId)).stdout).toMatch(
    /\nTrace: {4}\d+ events, 1 piece of text \(5 characters\), the first \d+ ms after the first turn began\n/,
  );
});

test("the published schemas accept the files of a run, its child's calls and its receipts", async () => {
  local.learn('Ask for help', (turn) => {
    if (turn === 1) return { calls: [call('task', { description: 'help', prompt: 'Read the file' })] };
    return turn === 2 ? { calls: [call('bash', { command: 'echo two > b.txt' })] } : { text: 'Done.' };
  });
  local.learn('Read the file', (turn) =>
    turn === 1 ? { calls: [call('read', { path: 'a.txt' })] } : { text: 'Read.' },
  );
  const folder = await local.checkout({ 'a.txt': 'hello\n', 'b.txt': 'old\n' });
  const ran = await local.anode(folder, [
    ...['run', '--prompt', 'Ask for help', '--preset', 'unrestricted', '--output', 'json'],
  ]);
  const { record, run_id: run } = JSON.parse(ran.stdout);
  const linesOf = async (file: string) =>
    (await readFile(path.join(record, file), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const inspected = JSON.parse((await harness(folder, 'inspect', run, '--json')).stdout);
  const faults = async (name: string, values: readonly unknown[]) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(JSON.parse(await readFile(`docs/${name}.schema.json`, 'utf8')));
    return values.flatMap((value) => (validate(value) ? [] : [[value, validate.errors]]));
  };
  const [ledger, trace] = [await linesOf('ledger.jsonl'), await linesOf('trace.jsonl')];
  expect({
    ledger: await faults('run-ledger', ledger),
    trace: await faults('run-trace', trace),
    receipts: await faults('receipt', inspected.receipts),
    swapped: (await faults('run-trace', ledger)).length === ledger.length,
    calls: inspected.receipts.map(({ tool, requested_by }: { tool: string; requested_by: string }) => [
      tool,
      requested_by === run ? 'run' : requested_by.replace(/_.*/, ''),
    ]),
    kinds: new Set(ledger.map(({ entry }) => entry.type)),
  }).toEqual({
    ...{ ledger: [], trace: [], receipts: [], swapped: true },
    calls: [
      ['task', 'run'],
      ['read', 'child'],
      ['bash', 'run'],
    ],
    kinds: new Set([
      ...['run.started', 'provenance', 'message', 'turn.started', 'usage', 'tool.call', 'tool.result'],
      ...['child_run.started', 'child_run.entry', 'child_run.result', 'change', 'run.finished'],
    ]),
  });
});

test('cuts a record at its size limit, and the run goes on to its end', async () => {
  const reads = Array.from({ length: 15 }, (_, n) => call('read', { path: `${n}.txt` }));
  local.learn('Read much', (turn) => {
    if (turn === 1) return { calls: reads };
    if (turn === 2) return { calls: [call('edit_file', { path: 'b.txt', old_str: 'old', new_str: 'new' })] };
    return { text: 'All read.' };
  });
  const large = Object.fromEntries(reads.map((_, n) => [`${n}.txt`, `${'word '.repeat(15)}\n`.repeat(600)]));
  const folder = await local.checkout({
    ...large,
    ...{ 'b.txt': 'old\n', 'c.json': '{ "records": { "ledgerMegabytes": 1 } }' },
  });
  const args = ['run', '--prompt', 'Read much', '--config', 'c.json', '--output', 'json'];
  const ran = await local.anode(folder, args);
  const { answer, record, run_id: run } = JSON.parse(ran.stdout);
  const message =
    'The record of this run was cut: its ledger reached 1 MB (records.ledgerMegabytes). The run went on without it.';
  expect([ran.code, answer, (await readFile(path.join(record, 'ledger.jsonl'))).length < 1_100_000]).toEqual([
    ...[0, 'All read.', true],
  ]);
  expect(JSON.parse(await readFile(path.join(record, 'outcome.json'), 'utf8')).diagnostics).toEqual([
    message,
  ]);
  const inspected = await harness(folder, 'inspect', run);
  expect(inspected.stdout).toMatch(/\nCut: {6}at .* the ledger reached 1 MB; calls and messages after it/);
  expect(inspected.stdout).toContain('End:      success, 3 turns');
  expect((await harness(folder, 'verify', run)).code).toBe(0);
  expect((await local.anode(folder, ['restore', run])).stdout).toBe('b.txt: written back\n');
});

test('verifies a signed record, and finds a changed line', async () => {
  const { folder, runId } = await recordedRun({ ANODE_LEDGER_KEY: 'key-of-the-operator' });
  const record = path.join(folder, '.anode-harness', runId);
  const verify = () =>
    local.anode(folder, ['harness', 'verify', runId, '--json'], {
      environment: { ANODE_LEDGER_KEY: 'key-of-the-operator' },
    });
  expect(JSON.parse((await verify()).stdout)).toMatchObject({ ok: true, signature: 'signed', problems: [] });
  const file = path.join(record, 'ledger.jsonl');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"Greet"', '"Greet me"'));
  const changed = await verify();
  expect([changed.code, JSON.parse(changed.stdout).ok]).toEqual([1, false]);
});

test('replays nothing by default, and lists what could be repeated', async () => {
  const { folder, runId } = await recordedRun();
  const { code, stdout } = await harness(folder, 'replay', runId);
  expect(code).toBe(0);
  expect(stdout).toContain('read a.txt: read-only. It only read inside the checkout.');
  expect(stdout).toContain('edit_file b.txt: inspect-only. It changed files.');
  expect(stdout).toContain('3 calls: 1 read-only, 1 to inspect, 1 skipped.');
  expect(stdout).toContain('Nothing was run');
});

test('repeats calls that only read, saves the result, and fails if an output differs', async () => {
  const { folder, runId } = await recordedRun();
  const replay = () => harness(folder, 'replay', runId, '--execute-read-only', '--json');
  const same = await replay();
  expect([same.code, JSON.parse(same.stdout)]).toMatchObject([0, { executed: true, differing: 0 }]);
  await writeFile(path.join(folder, 'a.txt'), 'another\n');
  const other = await replay();
  const artifact = JSON.parse(other.stdout);
  expect([other.code, artifact.differing, artifact.steps[0].outcome]).toEqual([1, 1, 'different']);
});

test('checks all records of a checkout', async () => {
  const { folder } = await recordedRun();
  const { code, stdout } = await harness(folder, 'check');
  expect([code, stdout]).toEqual([0, '1 record, all as they were written.\n']);
});

test('makes a smoke run and a benchmark without a key, and saves their reports', async () => {
  const folder = await local.checkout({ 'a.txt': 'hello\n' });
  const smoke = await harness(folder, 'smoke');
  expect([smoke.code, smoke.stdout.split('\n').filter((line) => line.startsWith('ok')).length]).toEqual([
    0, 6,
  ]);
  const planned = await harness(folder, 'bench', '--dry-run');
  expect(planned.stdout).toBe('Would do 5 runs of 3 turns with a scripted model on loopback.\n');
  const bench = await harness(folder, 'bench', '--runs', '1', '--json');
  expect(JSON.parse(bench.stdout)).toMatchObject({ ok: true, runs: 1, turns: 3 });
  const kinds = (await readdir(path.join(folder, '.anode-harness'))).map((name) => name.split('-')[0]).sort();
  expect(kinds).toEqual(['.gitignore', 'bench', 'smoke']);
});

test('lists what a subcommand accepts', async () => {
  const folder = await local.checkout({ 'a.txt': 'hello\n' });
  const told = async (...args: string[]) => (await harness(folder, ...args)).stderr.split('\n')[0];
  expect([
    await told(),
    await told('inspekt', 'run_1'),
    await told('inspect', 'run_1'),
    await told('check', 'x'),
  ]).toEqual([
    'anode harness: it takes inspect, ledger, verify, export, replay, check, smoke or bench.',
    'anode harness: there is no "inspekt": it takes inspect, ledger, verify, export, replay, check, smoke or bench. Did you mean inspect?',
    expect.stringContaining('anode harness: there is no record of run_1 for'),
    'anode harness: check takes no run.',
  ]);
});

test('exports a run as a trajectory and as spans, and names the formats', async () => {
  const { folder, runId } = await recordedRun();
  const atif = await harness(folder, 'export', runId, '--format', 'atif');
  const { schema_version, agent, steps } = JSON.parse(atif.stdout);
  expect([atif.code, schema_version, agent.version, steps.length]).toEqual([0, 'ATIF-v1.6', '1.0.0', 4]);
  const otlp = await harness(folder, 'export', runId, '--format', 'otlp');
  const { spans } = JSON.parse(otlp.stdout).resourceSpans[0].scopeSpans[0];
  expect(spans.map(({ name }: { name: string }) => name.split(' ')[0])).toEqual([
    ...['invoke_agent', 'chat', 'chat', 'chat'],
    ...['execute_tool', 'execute_tool', 'execute_tool'],
  ]);
  const unnamed = await harness(folder, 'export', runId);
  expect([unnamed.code, unnamed.stderr]).toEqual([
    2,
    'anode harness: export takes --format atif or otlp.\nHelp: anode help harness\n',
  ]);
});

test('records who supplied the texts of a run, and shows it', async () => {
  const { folder, runId } = await recordedRun();
  const { stdout } = await harness(folder, 'inspect', runId);
  expect(stdout).toMatch(
    /\nInputs:\n {2}repository of the checkout \(untrusted\), \d+ characters, sha256 [0-9a-f]{12}\n {2}request of the local user \(operator\), 5 characters, sha256 [0-9a-f]{12}\n/,
  );
});
