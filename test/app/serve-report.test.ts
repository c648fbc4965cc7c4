import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveReport } from '../../src/app/serve-report.ts';
import type { RunEntry } from '../../src/contract/run-ledger.ts';
import {
  createReportLinks,
  type ReportLinks,
  reportSecret,
} from '../../src/pipeline/context/report-links.ts';
import { createMemoryStateStore } from '../../src/state/memory-state-store.ts';
import { linesOf } from '../reporting/html/sample-run.ts';

let server: Server;
let links: ReportLinks;
let folder: string;
let url: string;
const now = new Date('2026-11-22T04:00:00Z');

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'anode-serve-'));
  server = createServer(async (request, response) => {
    const served = await serveReport(request, response, {
      links,
      runsFolder: path.join(folder, 'runs'),
      now,
      isOpen: async (runId) => runId === 'run_b',
    });
    if (!served) response.writeHead(404).end('Not found.\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  links = createReportLinks(url, await reportSecret(createMemoryStateStore()));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const linkTo = (run: string, days = 1) => links.linkTo(run, new Date(now.getTime() + days * 86_400_000));

function leave(attempt: string, run: string, text: string): string {
  const at = path.join(folder, 'runs', '42.7.0', attempt, run);
  mkdirSync(at, { recursive: true });
  if (text !== '') writeFileSync(path.join(at, 'report.html'), text);
  return at;
}

it('serves the report of the latest attempt that has one, with strict headers', async () => {
  leave('attempt', 'run_a', '<p>first</p>');
  leave('attempt-2', 'run_a', '<p>second</p>');
  leave('attempt-3', 'run_a', '');
  const answer = await fetch(linkTo('run_a'));
  const { date, connection, 'keep-alive': _, ...headers } = Object.fromEntries(answer.headers);
  expect({
    status: answer.status,
    body: await answer.text(),
    headers,
    known: [typeof date, typeof connection],
  }).toEqual({
    status: 200,
    body: '<p>second</p>',
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-length': '13',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    },
    known: ['string', 'string'],
  });
  const head = await fetch(linkTo('run_a'), { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '13', '']);
});

it('says of an active run that its report is to come, and of any other that there is none', async () => {
  leave('attempt', 'run_b', '');
  const answers = await Promise.all(
    ['run_b', 'run_never'].map(async (run) => {
      const answer = await fetch(linkTo(run));
      const text = await answer.text();
      return [
        answer.status,
        answer.headers.get('cache-control'),
        /<p>.*<\/p>/.exec(text)?.[0],
        text.includes('refresh'),
      ];
    }),
  );
  expect(answers).toEqual([
    [
      404,
      'no-store',
      '<p>It will be here when the run has ended. This page looks again every 15 seconds.</p>',
      true,
    ],
    [
      404,
      'no-store',
      '<p>It ended before it began, or its report was deleted for its age. The comment with this link says how it ended.</p>',
      false,
    ],
  ]);
});

it('makes the page of a killed run from its ledger', async () => {
  const started: RunEntry = {
    ...{ type: 'run.started', run_id: 'run_killed', session_id: 's', parent_run_id: null, model: 'm' },
    ...{ profile: 'craft', preset: 'careful', sandbox: 'off', prompt: 'Paint the gate', max_turns: null },
    base_sha: null,
  };
  const ledger = path.join(leave('attempt', 'run_killed', ''), 'ledger.jsonl');
  writeFileSync(ledger, '');
  const before = await fetch(linkTo('run_killed'));
  const lines = linesOf([started, { type: 'turn.started', turn: 1 }]).map((line) => JSON.stringify(line));
  writeFileSync(ledger, `${lines.join('\n')}\n{"v":1,"se`);
  const after = await fetch(linkTo('run_killed'));
  expect([before.status, after.status, (await after.text()).includes('Paint the gate')]).toEqual([
    ...[404, 200],
    true,
  ]);
});

it('answers any wrong link like an unknown page', async () => {
  leave('attempt', 'run_c', 'secret');
  const good = linkTo('run_c');
  const wrong = [
    good.replace('run_c', 'run_a'),
    linkTo('run_c', -1),
    `${url}/runs/run_c/report`,
    `${good}0`,
    `${url}/nothing`,
  ];
  const answers = await Promise.all(
    [
      ...wrong.map((address) => fetch(address)),
      fetch(good, { method: 'POST' }),
      fetch(good, { method: 'DELETE' }),
    ].map(async (answer) => [(await answer).status, await (await answer).text()]),
  );
  expect(answers).toEqual(answers.map(() => [404, 'Not found.\n']));
});

it('follows no symbolic link in place of a report', async () => {
  const at = leave('attempt', 'run_d', '');
  writeFileSync(path.join(folder, 'elsewhere'), 'secret');
  symlinkSync(path.join(folder, 'elsewhere'), path.join(at, 'report.html'));
  expect((await fetch(linkTo('run_d'))).status).toBe(404);
});
