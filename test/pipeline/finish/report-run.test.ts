import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reportLinkFor } from '../../../src/pipeline/context/report-links.ts';
import { reportRun } from '../../../src/pipeline/finish/report-run.ts';
import {
  lineOf,
  linesOf,
  sampleEntries,
  sampleRunOutcome,
  sampleRunPlan,
} from '../../reporting/html/sample-run.ts';

let folder: string;
let ledgerFile: string;
const warnings: string[] = [];
const canary = 'canary-of-the-report-0123456789';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'anode-report-run-'));
  ledgerFile = path.join(folder, 'ledger.jsonl');
  warnings.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const ports = {
  environment: { SOME_TOKEN: canary },
  operatorConfig: {},
  log: { info: () => {}, warn: (_: object, message: string) => void warnings.push(message) },
  runUrl: null,
};

const record = (text: string) => writeFileSync(ledgerFile, text);
const asText = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

it('writes the page beside the ledger, readable by its user alone and without secrets', async () => {
  record(asText(linesOf(sampleEntries)));
  const [file] = sampleRunOutcome.changes.files;
  const outcome = {
    ...sampleRunOutcome,
    changes: {
      ...sampleRunOutcome.changes,
      files: file === undefined ? [] : [{ ...file, path: `${canary}.js`, diff: `${file.diff}+${canary}\n` }],
    },
  };
  const published = {
    ...{ issues: [], downgrades: [`Not so: ${canary}`], failures: [canary], patch: canary, report: canary },
    commit: { sha: 'a'.repeat(40), url: `https://github.com/acme/shop/commit/${canary}`, branch: canary },
  };
  const plan = { ...sampleRunPlan, thread: { kind: 'issue' as const, number: 1, title: canary } };
  const target = await reportRun(plan, { ledgerFile, outcome, published }, ports);
  const page = readFileSync(target ?? '', 'utf8');
  expect({
    target,
    mode: statSync(target ?? '').mode & 0o777,
    canary: page.includes(canary),
    warnings,
  }).toEqual({
    ...{ target: path.join(folder, 'report.html'), mode: 0o600, canary: false, warnings: [] },
  });
  expect(page).toContain('Could not be posted');
});

it('reports an interrupted run from its ledger, also with an incomplete last line', async () => {
  const text = asText(linesOf(sampleEntries.slice(0, 14)));
  record(text.slice(0, -40));
  const target = await reportRun(sampleRunPlan, { ledgerFile, outcome: null, published: null }, ports);
  const page = readFileSync(target ?? '', 'utf8');
  expect(page).toContain('<p class="pill bad">Failed</p>');
  expect(page).toContain('The run ended without saying so: it crashed or was killed.');
});

it('accepts line separators within an entry', async () => {
  const prompt = 'one\u2028two\u2029three\u0085four';
  record(asText([lineOf({ ...sampleEntries[0], prompt } as (typeof sampleEntries)[0] & object, 1)]));
  const target = await reportRun(sampleRunPlan, { ledgerFile, outcome: null, published: null }, ports);
  expect(readFileSync(target ?? '', 'utf8')).toContain(
    '<h1>one two three<span class="u">U+0085</span>four</h1>',
  );
});

it('logs a page that cannot be written, and continues', async () => {
  record('not a record\n');
  expect(await reportRun(sampleRunPlan, { ledgerFile, outcome: null, published: null }, ports)).toBeNull();
  expect(warnings).toEqual(['The report of the run could not be written.']);
  const nowhere = path.join(folder, 'nowhere.jsonl');
  expect(
    await reportRun(sampleRunPlan, { ledgerFile: nowhere, outcome: null, published: null }, ports),
  ).toBeNull();
  expect(warnings).toHaveLength(1);
});

it('links for seven days, or as long as configured', () => {
  const links = {
    linkTo: (run: string, expires: Date) => `${run} ${expires.toISOString()}`,
    runOf: () => null,
  };
  const plan = { ...sampleRunPlan, triggered_at: '2026-11-22T04:00:00Z' };
  expect(
    [{}, { report: { linkDays: 1 } }, { report: { linkDays: 0 } }].map((config) =>
      reportLinkFor(plan, config, links),
    ),
  ).toEqual(['run_1 2026-11-29T04:00:00.000Z', 'run_1 2026-11-23T04:00:00.000Z', null]);
});
