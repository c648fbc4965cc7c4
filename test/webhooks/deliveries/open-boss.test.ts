import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openBoss } from '../../../src/webhooks/deliveries/open-boss.ts';

/** The databases take seconds to open: what they are opened with is told here, the real ones are tested with the queue. */
const seen = vi.hoisted(() => ({
  calls: [] as unknown[],
  starts: null as Error | null,
  opens: null as Error | null,
}));
vi.mock('pg-boss', () => ({
  fromPglite: (database: unknown) => ['from', database],
  PgBoss: class {
    constructor(options: unknown) {
      seen.calls.push(['boss', options]);
    }
    on(...args: unknown[]) {
      seen.calls.push(['on', ...args]);
    }
    async start() {
      seen.calls.push('start');
      if (seen.starts !== null) throw seen.starts;
    }
  },
}));
vi.mock('@electric-sql/pglite', () => ({
  PGlite: {
    async create(directory: string) {
      seen.calls.push(['open', directory]);
      if (seen.opens !== null) throw seen.opens;
      return { name: 'database', close: async () => void seen.calls.push('close') };
    },
  },
}));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anode-boss-'));
  Object.assign(seen, { calls: [], starts: null, opens: null });
});
afterEach(() => rmSync(folder, { recursive: true }));

const quiet = { schedule: false, reindex: false, monitorVacuum: false };
const onError = () => {};

test('PostgreSQL is opened by its URL and shared', async () => {
  const opened = await openBoss({ url: 'postgres://x', directory: join(folder, 'a') }, onError);
  await opened.closeDatabase();
  expect([opened.embedded, seen.calls, readdirSync(folder)]).toEqual([
    false,
    [
      ['boss', { connectionString: 'postgres://x', useListenNotify: true, ...quiet }],
      ['on', 'error', onError],
      'start',
    ],
    [],
  ]);
});

test('an embedded database is this process’s alone until it is closed', async () => {
  const directory = join(folder, 'a', 'b');
  const opened = await openBoss({ url: null, directory }, onError);
  const database = expect.objectContaining({ name: 'database' });
  expect([opened.embedded, seen.calls, readdirSync(directory)]).toEqual([
    true,
    [
      ['open', join(directory, 'database')],
      ['boss', { db: ['from', database], backend: 'pglite', ...quiet }],
      ...[['on', 'error', onError], 'start'],
    ],
    ['database.lock'],
  ]);
  await opened.closeDatabase();
  expect([seen.calls.at(-1), readdirSync(directory)]).toEqual(['close', []]);
});

test('where it cannot be opened or started, the folder is free again', async () => {
  const location = { url: null, directory: folder };
  seen.opens = new Error('no room');
  await expect(openBoss(location, onError)).rejects.toThrow('no room');
  seen.opens = null;
  seen.starts = new Error('no start');
  await expect(openBoss(location, onError)).rejects.toThrow('no start');
  expect([seen.calls.at(-1), readdirSync(folder)]).toEqual(['close', []]);
});
