import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedCall } from '../support/model/script.ts';
import { type Postgres, postgresAvailable, startPostgres } from '../support/postgres.ts';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal, type Tree } from '../uses/support/start-local.ts';

vi.setConfig({ maxConcurrency: 3 });

const fixture = (name: string) =>
  readFile(path.join(import.meta.dirname, '../fixtures/toolbox', name), 'utf8');

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

/** A checkout whose files below `.tools` are programs, with a configuration. */
async function checkout(files: Tree): Promise<string> {
  const folder = await local.checkout(files);
  const programs = Object.keys(files).filter((name) => name.startsWith('.tools/'));
  for (const name of programs) await chmod(path.join(folder, name), 0o755);
  await local.git(folder, 'commit', '-q', '-a', '-m', 'Programs');
  return folder;
}

/**
 * Tools that load after the first request are announced with a result. Whether they do depends on
 * the machine's load; the reminder has tests of its own.
 */
const announcement = /\n*More tools are there now, called by use_tool:\n(?:tb__[^\n]*\n?)*/;

/** A run that makes these calls in one turn each: its results, its second request, its report, and all that the model was sent. */
async function run(
  name: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
  ...turns: (readonly ScriptedCall[])[]
) {
  const results: string[] = [];
  local.learn(name, (turn, request) => {
    if (turn > 1) results.push(lastResults(request).replace(announcement, '').trimEnd());
    const calls = turns[turn - 1];
    return calls === undefined ? { text: 'Done.' } : { calls };
  });
  const args = [
    '--preset',
    'unrestricted',
    '--config',
    '.github/anode.yml',
    '--sandbox',
    'required',
    '--output',
    'json',
  ];
  const { stdout, stderr } = await local.anode(folder, ['run', '--prompt', name, ...args], { environment });
  const [, second] = local.requestsFor(name);
  const sent = local.requestsFor(name).map(allTextOf).join('\n');
  return {
    results,
    stderr,
    sent,
    second: second === undefined ? '' : allTextOf(second),
    report: JSON.parse(stdout),
  };
}

describe.skipIf(!available)('the toolbox of a run', () => {
  test('runs the example for tests: listed, found, called and limited', async () => {
    const folder = await checkout({
      '.github/anode.yml': 'tools: { toolboxDirs: [.tools] }\n',
      '.tools/run-tests': await fixture('run-tests'),
      '.tools/breaks': '#!/bin/sh\necho not a description\n',
      '.tools/read': `#!/bin/sh\necho '{"name":"read","description":"Reads."}'\n`,
    });
    // Go itself is not needed to see what it is asked for.
    const go = path.join(local.home, '..', 'toolchain', 'bin');
    await mkdir(go, { recursive: true });
    await writeFile(path.join(go, 'go'), '#!/bin/sh\necho "go $@ in $PWD"\necho changed > tested.txt\n', {
      mode: 0o755,
    });
    local.learn('let a child try it', (turn, request) =>
      turn === 1
        ? { calls: [call('tb__run-tests', { package: './child' })] }
        : {
            text: `The child: ${lastResults(request)}${allTextOf(request).match(/^tb__run-tests: .*$/m)?.[0]}`,
          },
    );
    const { results, second, report, stderr } = await run(
      'test it',
      folder,
      { PATH: `${go}:${process.env.PATH}` },
      [call('tool_search', { query: 'run the go tests' })],
      [call('use_tool', { name: 'tb__run-tests', args: { package: './shop', verbose: true } })],
      [call('tb__run-tests', { verbose: 'false' })],
      [call('task', { goal: 'let a child try it' })],
    );
    expect({
      // A slow machine describes them only in the request after the search, which waits for them.
      told: second.match(/^tb__.*$/gm),
      found: results[0]?.includes('"description":"Package path to test (default: ./...)"'),
      said: results.slice(1),
      changed: report.changes.map(({ path: file, kind }: { path: string; kind: string }) => [file, kind]),
      problems: stderr.split('\n').filter((line) => line.includes('.tools/')),
    }).toEqual({
      told: ['tb__read: Reads.', 'tb__run-tests: Run Go tests with optional package filter'],
      found: true,
      said: [
        `go test -v -count=1 ./shop in ${folder}`,
        `go test -count=1 ./... in ${folder}`,
        expect.stringContaining(
          `The child: go test -count=1 ./child in ${folder}tb__run-tests: Run Go tests`,
        ),
      ],
      changed: [['tested.txt', 'add']],
      problems: [
        '! .tools/breaks described itself by neither JSON nor lines such as "name: …": "not a description", so it is no tool of this run.',
      ],
    });
  });

  test('is listed, shown, called and diagnosed by the command line', async () => {
    const looks = `#!/bin/sh
if [ "$TOOLBOX_ACTION" = describe ]; then echo '{"name":"looks","description":"Looks.","permission":"auto_read","args":{"at":"what"}}'; exit; fi
cat
`;
    const folder = await checkout({
      '.github/anode.yml': 'tools: { toolboxDirs: [.tools], disabled: [tb__off*] }\n',
      '.tools/run-tests': await fixture('run-tests'),
      '.tools/looks': looks,
      '.tools/off': `#!/bin/sh\necho '{"name":"off-1","description":"Off."}'\n`,
      '.tools/breaks': '#!/bin/sh\nexit 3\n',
    });
    const config = ['--config', '.github/anode.yml'];
    const listed = async (...args: string[]) => {
      const { stdout } = await local.anode(folder, ['tools', 'list', '--json', ...config, ...args]);
      const tools = JSON.parse(stdout) as { name: string; permission: string; source: string }[];
      return tools
        .filter(({ source }) => source !== 'built-in')
        .map(({ name, permission, source }) => `${name} ${permission} ${source}`);
    };
    const [craft, review, shown, used, doctor] = await Promise.all([
      listed('--profile', 'craft'),
      listed('--profile', 'review'),
      local.anode(folder, ['tools', 'show', 'tb__run-tests', ...config]),
      local.anode(folder, ['tools', 'use', 'tb__looks', '--arg', 'at=a', ...config]),
      local.anode(folder, ['doctor', ...config]),
    ]);
    const problem =
      '.tools/breaks ended with exit code 3 when asked to describe itself, so it is no tool of this run.';
    expect({
      craft,
      review,
      shown: shown.stdout.split('\n')[0],
      used: [used.stdout, used.stderr],
      doctor: doctor.stdout.match(/^.*other tools.*\n.*\n/m)?.[0],
    }).toEqual({
      craft: ['tb__looks auto_read toolbox', 'tb__run-tests confirm_execute toolbox'],
      review: ['tb__looks auto_read toolbox'],
      shown: 'tb__run-tests: Run Go tests with optional package filter',
      used: ['{"at":"a"}\n', `${problem}\n`],
      doctor: `partly  other tools: tb__looks, tb__off-1, tb__run-tests.\n          ${problem}\n`,
    });
  });
});

describe.skipIf(!available || !postgresAvailable)('a toolbox program with a database', () => {
  const password = 'canary-of-the-database-71c';
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres(password);
  });
  afterAll(() => postgres.close());

  test('only the example with a rule reaches the database, and nothing else has its password', async () => {
    const probe = `#!/bin/sh
if [ "$TOOLBOX_ACTION" = describe ]; then echo '{"name":"probe","description":"Tries."}'; exit; fi
psql "postgres://ada:x@localhost:${postgres.port}/postgres" -c 'select 1' || echo "[$DATABASE_URL] no way"
`;
    const folder = await checkout({
      '.github/anode.yml': `tools: { toolboxDirs: [.tools] }
env: { pass: { 'toolbox:db-query': [DATABASE_URL] } }
network: { programs: { 'toolbox:db-query': ['localhost:${postgres.port}'] } }
`,
      '.tools/db-query': await fixture('db-query'),
      '.tools/probe': probe,
    });
    const url = `postgres://ada:${password}@localhost:${postgres.port}/postgres`;
    const { results, sent } = await run(
      'ask the database',
      folder,
      { DATABASE_URL: url, ANODE_ENV_PASS: 'DATABASE_URL' },
      [
        call('tb__db-query', {
          query: "SELECT 'found ' || generate_series AS it FROM generate_series(1, 9)",
          limit: 2,
        }),
      ],
      [call('tb__db-query', { query: 'DROP TABLE shop' })],
      [call('tb__probe', {})],
      [
        call('bash', {
          command: `psql '${url.replace(password, 'x')}' -c 'select 1'; echo "[$DATABASE_URL]"`,
        }),
      ],
    );
    expect({ results, leaked: sent.includes(password) }).toEqual({
      results: [
        'it\nfound 1\nfound 2',
        'tb__db-query ended with exit code 1. What it had printed:\nError: only SELECT queries are allowed',
        expect.stringMatching(/Connection refused.*\[\] no way$/s),
        expect.stringMatching(/Connection refused.*\[\]/s),
      ],
      leaked: false,
    });
  });
});
