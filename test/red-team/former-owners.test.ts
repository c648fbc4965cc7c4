import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { processProgram } from '../../src/run/programs/process-program.ts';
import { openEmbeddedDatabase } from '../../src/webhooks/deliveries/embedded-database.ts';
import { findReport } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { cliProgram } from '../support/program-files.ts';
import { allTextOf, call } from '../uses/support/conversation.ts';
import { runProgram } from '../uses/support/run-program.ts';
import { type Stage, startStage } from '../uses/support/start-app.ts';

const config = 'review: { auto: false }\nsandbox: preferred\npermissions: { preset: careful }\n';
/** What stands in the private repository, and what its people said. */
const secret = 'private-word-7f3a2c';

const atWork = Promise.withResolvers<void>();
const mayEnd = Promise.withResolvers<void>();

let stage: Stage;
/** The private repository, which is renamed. */
let shop: RepositoryHandle;
/** Somebody else's, which takes its name. */
let other: RepositoryHandle;

/** A repository with an issue in which somebody who may write asks. */
async function open(name: string, asker: string, files: Record<string, string> = {}) {
  const repository = await stage.github.createRepository(name, {
    files: { '.github/anode.yml': config, ...files },
  });
  repository.setPermission(asker, 'write');
  await repository.openIssue({ title: 'Paint', author: asker });
  stage.passTime();
  return repository;
}

/** What is said, and what the App answers to it. */
async function say(repository: RepositoryHandle, author: string, body: string): Promise<string> {
  stage.passTime();
  const { id } = repository.comment(1, { author, body });
  const answers = () => repository.comments(1).filter((one) => one.id > id && one.author === stage.app.login);
  const isReply = (text: string) => !text.startsWith('<!-- anode:progress');
  await stage.until(
    `an answer to ${body}`,
    () =>
      answers().some((one) => isReply(one.body)) ||
      findReport(repository, stage.app.login, 1, id) !== undefined,
  );
  return answers()
    .map((one) => one.body)
    .join('\n');
}

/** Tells the App of an event as GitHub would; gives the delivery's id. */
async function tell(event: string, payload: Record<string, unknown>, guid: string): Promise<void> {
  const url = `${stage.server().url}/api/github/webhooks`;
  const whole = { sender: { login: 'ada' }, installation: { id: stage.app.installationId }, ...payload };
  const { status } = await stage.github.deliver(url, event, whole, { secret: stage.app.webhookSecret, guid });
  expect(status).toBe(202);
}

const repositoryEvent = (action: string, { repository: { id, fullName } }: RepositoryHandle) => ({
  action,
  repository: { id, full_name: fullName },
});

/** How many deliveries were queued and are not decided on yet. */
function unhandled(): number {
  const { lines } = stage.server();
  const queued = lines.filter((line) => line.includes('"msg":"Queued."'));
  return queued.length - lines.filter((line) => line.includes('"decision":')).length;
}

/** The folders of the App's data that are of a repository, below `runs` and the like. */
function foldersOf({ repository: { id } }: RepositoryHandle): string[] {
  const data = path.join(stage.folder, 'data');
  return ['runs', 'checkouts', 'mirrors'].flatMap((kind) => {
    const folder = path.join(data, kind);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.filter((name) => name.split('.')[1] === String(id)).map((name) => path.join(folder, name));
  });
}

/** Whether a word stands in any file below the App's data folder, but for the database's own. */
async function isOnDisk(word: string): Promise<boolean> {
  const folders = ['runs', 'checkouts', 'mirrors', 'set-up', 'state'];
  const there = folders.map((one) => path.join(stage.folder, 'data', one)).filter((one) => existsSync(one));
  const found = promisify(execFile)('grep', ['-rlaF', word, ...there]);
  return found.then(
    () => true,
    () => false,
  );
}

/** What the App's database, which nobody may have open, still says of a repository and of a word. */
async function inDatabase({ repository: { id } }: RepositoryHandle, word: string): Promise<unknown[]> {
  const database = await openEmbeddedDatabase(
    processProgram('database-process'),
    path.join(stage.folder, 'data'),
  );
  try {
    const sql = `SELECT key AS found FROM anode_state WHERE split_part(key, '/', 2) LIKE $1 OR position($2 in value) > 0
      UNION ALL SELECT id::text FROM pgboss.job WHERE position($2 in data::text) > 0`;
    const { rows } = await database.query(sql, [`%.${id}.%`, word]);
    return rows;
  } finally {
    await database.close();
  }
}

beforeAll(async () => {
  stage = await startStage();
  stage.learn('paint it', (turn) => {
    if (turn === 1) return { calls: [call('task_list', { action: 'create', title: secret })] };
    if (turn === 2) return { calls: [call('ask_user', { question: `Which colour for ${secret}?` })] };
    return { text: `Painted for ${secret}.` };
  });
  stage.learn('work long', async () => {
    atWork.resolve();
    await mayEnd.promise;
    return { text: `Worked on ${secret}.` };
  });
  stage.learn('look back', (turn, request) => {
    if (turn === 1) {
      return {
        calls: [
          call('find_thread', { query: 'colour' }),
          call('task_list', { action: 'list' }),
          call('grep', { pattern: 'private-word' }),
        ],
      };
    }
    return { text: allTextOf(request).includes(secret) ? `Found ${secret}` : 'Found nothing.' };
  });
  shop = await open('acme/shop', 'ada', { 'secret.txt': `${secret}\n` });
  await say(shop, 'ada', '@anode paint it');
  // What was delivered under the old name is tried three times once that is another's, which takes half a minute.
  await vi.waitFor(() => expect(unhandled()).toBe(0), { timeout: 60_000 });
  shop.rename('shop-old');
  other = await open('acme/shop', 'mallory');
});
afterAll(() => stage.close());

describe('a repository name with a new owner', () => {
  test('gives the new owner no session, past run, task or blob of the previous one', async () => {
    const said = [
      await say(other, 'mallory', '/anode answer red'),
      await say(other, 'mallory', '@anode look back'),
    ];
    const [old] = foldersOf(shop).filter((folder) => folder.includes('mirrors'));
    const [own] = foldersOf(other).filter((folder) => folder.includes('mirrors'));
    const blob = (await shop.git('rev-parse', 'main:secret.txt')).trim();
    const has = (mirrors: string) => {
      const [mirror = ''] = readdirSync(mirrors);
      const looked = promisify(execFile)('git', [
        ...['-C', path.join(mirrors, mirror), 'cat-file', '-e', blob],
      ]);
      return looked.then(
        () => true,
        () => false,
      );
    };
    expect({
      said: said.map((text) => text.includes(secret)),
      found: said[1]?.includes('Found nothing.'),
      seen: stage.requestsFor('look back').some((request) => allTextOf(request).includes(secret)),
      blobs: [await has(old ?? ''), await has(own ?? '')],
    }).toEqual({ said: [false, false], found: true, seen: false, blobs: [true, false] });
  });

  test('does not interrupt the earlier repository under its new name', async () => {
    expect(await say(shop, 'ada', '/anode answer blue')).toContain(`Painted for ${secret}.`);
  });

  test('state from before a repository became private is removed, once for repeated deliveries', async () => {
    await say(shop, 'ada', '@anode paint it');
    shop.setPrivate(true);
    await tell('repository', repositoryEvent('privatized', shop), 'privatized');
    const nothing = await say(shop, 'ada', '/anode answer blue');
    // A run that was still ending when the removal came delays it to the end of a run.
    const left = () => foldersOf(shop).filter((folder) => folder.endsWith('.0'));
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
    await say(shop, 'ada', '@anode paint it');
    await tell('repository', repositoryEvent('privatized', shop), 'privatized');
    const again = await say(shop, 'ada', '/anode answer blue');
    expect([nothing.includes('Painted'), again.includes('Painted')]).toEqual([false, true]);
  });

  test('a run whose repository the App loses ends, and neither posts nor leaves anything', async () => {
    stage.passTime();
    const { id } = other.comment(1, { author: 'mallory', body: '@anode work long' });
    await atWork.promise;
    const removed = [{ id: other.repository.id, full_name: 'acme/shop' }];
    stage.github.takeAway('anode-ci', other);
    const { installation } = stage.github.installationPayload('anode-ci', 'removed');
    const payload = { action: 'removed', repositories_removed: removed, installation };
    await tell('installation_repositories', payload, 'removed');
    mayEnd.resolve();
    await expect.poll(() => foldersOf(other), { timeout: 60_000 }).toEqual([]);
    const told = other.comments(1).filter((one) => one.id > id && one.body.includes(secret));
    expect(told).toEqual([]);
  });

  test('a transfer and the command forget remove everything from folders and database', async () => {
    stage.github.takeAway('anode-ci', shop);
    await tell('repository', repositoryEvent('transferred', shop), 'transferred');
    const moved = [foldersOf(shop), await isOnDisk(secret)];
    stage.github.takeAway('anode-ci', shop, false);
    await say(shop, 'ada', '@anode paint it');
    await stage.server().stop();
    const forget = () =>
      runProgram(cliProgram, ['forget', 'Acme/shop-old'], {
        cwd: stage.folder,
        environment: { ANODE_DATA_DIR: path.join(stage.folder, 'data') },
      });
    const [first, second] = [await forget(), await forget()];
    const found = [...(await inDatabase(shop, secret)), ...(await inDatabase(other, secret))];
    expect({
      moved,
      first: [first.code, first.stdout.split('\n')[0]],
      second: [second.code, second.stderr.includes('nothing is kept of Acme/shop-old')],
      left: [foldersOf(shop), await isOnDisk(secret), found],
    }).toEqual({
      moved: [[], false],
      first: [
        0,
        `Forgot acme/shop-old (repository ${shop.repository.id} of installation ${stage.app.installationId}).`,
      ],
      second: [2, true],
      left: [[], false, []],
    });
  });
});
