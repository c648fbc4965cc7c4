import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startAppProcess } from '../support/app-process.ts';
import { deliveryProcesses } from '../support/delivery-pids.ts';
import { type Postgres, postgresAvailable, startPostgres } from '../support/postgres.ts';
import { modelKey, type Stage, startStage } from '../uses/support/start-app.ts';

describe.skipIf(!postgresAvailable)('two Apps on one database', () => {
  const password = 'of-the-database';
  let postgres: Postgres;
  let first: Stage;
  let folder: string;
  beforeAll(async () => {
    postgres = await startPostgres(password);
    folder = await mkdtemp(path.join(tmpdir(), 'anode-second-'));
  });
  afterAll(async () => {
    await first.close();
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a suspended attempt that was replaced writes nothing when it continues', async () => {
    const DATABASE_URL = `postgres://ada:${password}@127.0.0.1:${postgres.port}/postgres`;
    first = await startStage({ DATABASE_URL });
    const { github, app, model } = first;
    const repository = await github.createRepository('acme/shop', { files: { 'a.txt': 'red\n' } });
    repository.setPermission('ada', 'write');
    const { number } = await repository.openIssue({ title: 'Twice', author: 'ada' });
    const reached = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    first.learn('take long', async () => {
      if (first.requestsFor('take long').length > 1) return { text: 'In time.' };
      reached.resolve();
      await late.promise;
      return { text: 'Too late.' };
    });
    const { id } = repository.comment(number, { author: 'ada', body: '@anode take long' });
    await reached.promise;
    const asleep = [...deliveryProcesses(first.server().pid), first.server().pid];
    for (const pid of asleep) process.kill(pid, 'SIGSTOP');
    // What the supervisor of the other App does once the heartbeat is missing.
    const lapse = "UPDATE pgboss.job SET state = 'retry', start_after = now() WHERE state = 'active'";
    execFileSync('psql', [DATABASE_URL, '-c', lapse]);
    const environment = { DATABASE_URL, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: modelKey };
    const second = await startAppProcess({ github, app, folder, environment });
    onTestFinished(() => second.stop());
    expect(await first.report(repository, number, id)).toContain('In time.');
    await first.until('the end', () => repository.reactions({ id }).length === 0);
    const written = first.writes(repository);
    for (const pid of asleep) process.kill(pid, 'SIGCONT');
    late.resolve();
    const isRefused = () => first.server().lines.some((line) => line.includes('"LeaseLost"'));
    await expect.poll(isRefused).toBe(true);
    expect(first.writes(repository)).toEqual(written);
    expect(repository.comments(number).filter(({ author }) => author === app.login)).toHaveLength(1);
  });
});
