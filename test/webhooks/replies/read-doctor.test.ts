import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/contract/errors.ts';
import type { DoctorFacts } from '../../../src/webhooks/authorize/doctor-facts.ts';
import { readDoctor } from '../../../src/webhooks/replies/read-doctor.ts';
import { renderDoctor } from '../../../src/webhooks/replies/render-doctor.ts';

const granted = {
  ...{ contents: 'write', issues: 'admin', pull_requests: 'write' },
  ...{ checks: 'read', actions: 'write', security_events: 'write', statuses: 'write' },
};
const delivered = [
  'issue_comment',
  'issues',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'repository',
];
const facts: DoctorFacts = {
  permissions: granted,
  events: delivered,
  sandbox: { ok: true, found: 'bubblewrap' },
  model: { ok: false, found: 'no key' },
};

const read = (
  told: DoctorFacts | null,
  more: {
    configError?: ConfigError | null;
    configSource?: unknown;
    labels?: object;
    fails?: number;
    host?: string;
  } = {},
) => {
  const { configError = null, configSource = null, labels = {}, fails = 404, host = 'app' } = more;
  const asked = { login: 'ada', permission: 'admin' };
  const getLabel = async ({ owner, repo, name }: Record<string, string>) => {
    if (name === 'there' && owner === 'acme' && repo === 'shop') return {};
    throw Object.assign(new Error('API'), { status: fails });
  };
  const judged = {
    ...{ configError, configSource, triggers: { labels }, authorization: { requester: asked } },
    trigger: { repository: { owner: 'acme', name: 'shop' } },
    facts: { repository: { name: 'shop' } },
  };
  const ports = {
    octokit: { rest: { issues: { getLabel } } },
    settings: { host },
    ...(told === null ? {} : { doctor: async () => told }),
  };
  return readDoctor(judged as never, ports as never);
};
const line = (name: string, state: string, found: string) => ({ name, state, found });
const config = line('Configuration', 'ok', 'none, so the defaults hold');
const you = line('You', 'ok', 'ada has admin permission here');
const machine = [line('Model', 'missing', 'no key'), line('Sandbox', 'ok', 'bubblewrap')];
const events = line('Webhook events', 'ok', 'all that matter are delivered');

test('checks each used permission and event', async () => {
  expect(await read(facts, { configSource: { file: '.github/anode.yml' } })).toEqual([
    line('Configuration', 'ok', '`.github/anode.yml` can be used'),
    ...machine,
    line('`contents`', 'ok', 'write, to check out and to commit'),
    line('`issues`', 'ok', 'admin, to answer, and for labels'),
    line('`pull_requests`', 'ok', 'write, for reviews and pull requests'),
    line('`checks`', 'ok', 'read, for `fix`, which reads what failed'),
    line('`actions`', 'ok', 'write, for `fix`, which reads the logs of jobs'),
    line('`security_events`', 'ok', 'write, for `review.sarif`'),
    line('`statuses`', 'ok', 'write, to show runs as commit statuses, without `checks: write`'),
    events,
    you,
  ]);
});

test('a required permission that is too low is missing, and an optional one unknown', async () => {
  const low = { contents: 'read', issues: 'read', pull_requests: 'read', security_events: 'read' };
  expect((await read({ ...facts, permissions: low })).slice(3, 9)).toEqual([
    line(
      '`contents`',
      'missing',
      "write is not granted; it is to check out and to commit: add `contents: write` to the App's permissions and accept it",
    ),
    line(
      '`issues`',
      'missing',
      "write is not granted; it is to answer, and for labels: add `issues: write` to the App's permissions and accept it",
    ),
    line(
      '`pull_requests`',
      'missing',
      "write is not granted; it is for reviews and pull requests: add `pull_requests: write` to the App's permissions and accept it",
    ),
    line(
      '`checks`',
      'unknown',
      "read is not granted; it is for `fix`, which reads what failed: add `checks: read` to the App's permissions and accept it",
    ),
    line(
      '`actions`',
      'unknown',
      "read is not granted; it is for `fix`, which reads the logs of jobs: add `actions: read` to the App's permissions and accept it",
    ),
    line(
      '`security_events`',
      'unknown',
      "write is not granted; it is for `review.sarif`: add `security_events: write` to the App's permissions and accept it",
    ),
  ]);
});

test('a workflow gets the lines for its permissions', async () => {
  expect((await read(null, { host: 'action' }))[1]).toEqual(
    line(
      'Permissions',
      'unknown',
      'what this token may do is not told by GitHub. Under `permissions:` it takes `contents: write`, `issues: write`, `pull-requests: write`',
    ),
  );
});

test.each(delivered)('a missing event %s is reported', async (name) => {
  const had = delivered.filter((one) => one !== name);
  expect((await read({ ...facts, events: had })).at(-2)).toEqual(
    line('Webhook events', 'missing', `not delivered: \`${name}\``),
  );
});

test('unknown facts are omitted or reported as unknown', async () => {
  const unknown = line('Permissions', 'unknown', 'what this token may do is not told by GitHub');
  expect(await read(null)).toEqual([config, unknown, you]);
  expect(await read({ ...facts, permissions: null, events: null })).toEqual([
    config,
    ...machine,
    unknown,
    you,
  ]);
  const two = delivered.slice(0, 3);
  expect((await read({ ...facts, events: two })).at(-2)?.found).toBe(
    'not delivered: `pull_request_review`, `pull_request_review_comment`, `repository`',
  );
});

test('an invalid configuration and missing labels are reported', async () => {
  const configError = new ConfigError('anode.yml:1: no.', { key: 'a' });
  const labels = Object.fromEntries(['there', ...'abcdefghijk'].map((name) => [name, 'fix']));
  const lines = await read(null, { configError, labels });
  expect(lines.slice(0, 4)).toEqual([
    line('Configuration', 'missing', 'anode.yml:1: no.'),
    line('Permissions', 'unknown', 'what this token may do is not told by GitHub'),
    line('Label `there`', 'ok', 'starts `fix`'),
    line('Label `a`', 'unknown', 'would start `fix`; shop has no such label'),
  ]);
  expect(lines.filter(({ name }) => name.startsWith('Label')).map(({ name }) => name[7])).toEqual([
    ...'tabcdefghi',
  ]);
  await expect(read(null, { labels, fails: 500 })).rejects.toThrow('API');
});

test('the answer counts missing items, and cells cannot break its table', () => {
  const lines = [
    { name: 'A', state: 'ok', found: ' a|b\n c ' },
    { name: 'B|', state: 'missing', found: 'b' },
    { name: 'C', state: 'unknown', found: 'c' },
  ] as const;
  const table = '\n\n| | | |\n|---|---|---|\n| ✅ | A | a\\|b c |';
  expect(renderDoctor(lines)).toBe(`1 of 3 are missing.${table}\n| ❌ | B\\| | b |\n| ❔ | C | c |`);
  expect(renderDoctor(lines.slice(0, 1))).toBe(`Everything that I can see is in place.${table}`);
});
