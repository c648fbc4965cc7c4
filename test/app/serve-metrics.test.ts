import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { serveMetrics } from '../../src/app/serve-metrics.ts';
import { createFileStateStore } from '../../src/state/file-state-store.ts';

test('answers with metrics for the token, and with 401 for any other', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-metrics-'));
  const state = createFileStateStore({ folder, secret: null, onRejected: () => {} });
  const account = {
    ...{ v: 1, run_id: 'run_1', ended_at: '2026-01-02T03:04:05.000Z', repository: 'acme/app' },
    ...{ verb: 'ask', profile: 'find', model: 'openai/small', conclusion: 'success' },
    ...{ cost_usd: 0.25, tokens: 10, duration_ms: 10, committed: false, result: null },
  };
  await state.set('accounts/1.2.0/0/run_1', JSON.stringify(account));
  const server = createServer((request, response) => {
    void serveMetrics(request, response, { state, token: 'a-token-of-the-operator' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  const ask = async (authorization?: string) => {
    const answer = await fetch(url, { headers: authorization === undefined ? {} : { authorization } });
    return [answer.status, (await answer.text()).split('\n')[2]];
  };
  const answers = [await ask(), await ask('Bearer other'), await ask('Bearer a-token-of-the-operator')];
  await new Promise((resolve) => server.close(resolve));
  expect(answers).toEqual([
    [401, undefined],
    [401, undefined],
    [200, 'anode_runs{repository="acme/app",model="openai/small",profile="find"} 1'],
  ]);
});
