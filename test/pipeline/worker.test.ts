import { expect, test } from 'vitest';
import { tenantOfKey } from '../../src/contract/state-store.ts';
import { handleEvent } from '../../src/pipeline/worker.ts';
import { visible } from '../support/find-report.ts';
import type { Script } from '../support/model/script.ts';
import {
  attempt,
  entryContext,
  github,
  login,
  model,
  newestComment,
  startWorkerEdges,
} from '../support/worker-fixture.ts';

/** What the model answers with; each test sets its own. */
let answer: Script = () => ({ text: 'Done nothing.' });
startWorkerEdges((request) => answer(request));

/** A repository whose issue 1 a maintainer comments on, and the event that this makes. */
async function asked(name: string, body: string, files: Record<string, string> = {}) {
  const repository = await github.createRepository(name, { files: { 'README.md': '# Here\n', ...files } });
  repository.setPermission('ada', 'write');
  await repository.openIssue({ title: 'Dates', author: 'ada' });
  repository.comment(1, { author: 'ada', body });
  return { repository, event: newestComment(`guid-${name}`) };
}

test('a run that was interrupted at its end is published once and not run again', async () => {
  const { repository, event } = await asked('acme/late', '@anode say something');
  answer = () => ({ text: 'Said something.' });
  const before = model.requests.length;
  const { state } = entryContext();
  const cut: typeof state = { ...state, delete: () => Promise.reject(new Error('the process ended')) };
  await expect(handleEvent(event, attempt(1), entryContext({ state: cut }))).rejects.toThrow(
    'the process ended',
  );
  const second = await handleEvent(event, attempt(2), entryContext());
  expect({
    kind: second.kind,
    requests: model.requests.length - before,
    comments: repository.comments(1).filter(({ author }) => author === login).length,
  }).toEqual({ kind: 'run', requests: 1, comments: 1 });
});

test('an error before the run is retried, and reported only at the last attempt', async () => {
  const { repository, event } = await asked('acme/gone', '@anode say something');
  const broken = entryContext({ mirrorsFolder: '/dev/null/mirrors' });
  await expect(handleEvent(event, attempt(1), broken)).rejects.toThrow();
  const own = () =>
    repository
      .comments(1)
      .filter(({ author }) => author === login)
      .map(({ body }) => body);
  expect(own().filter((body) => body.includes('**Failed.**'))).toEqual([]);
  const handled = await handleEvent(event, attempt(3), broken);
  expect({ kind: handled.kind, comments: own().length }).toEqual({ kind: 'failed', comments: 1 });
  expect(own()[0]).toContain('**Failed.** Something broke inside Anode CI itself');
});

test('a run that fails is reported at once and not retried', async () => {
  const { repository, event } = await asked('acme/key', '@anode say something');
  const keyless = entryContext({ environment: { PATH: process.env.PATH } });
  const handled = await handleEvent(event, attempt(1), keyless);
  const [, comment] = repository.comments(1);
  expect({
    kind: handled.kind,
    told: comment?.body.includes('No model is set and no key was found'),
  }).toEqual({
    kind: 'failed',
    told: true,
  });
});

test('a placeholder key is named to the operator, in the log and by doctor, and in no comment', async () => {
  const { repository, event } = await asked('acme/local', '@anode say something');
  answer = () => ({ text: 'Said something.' });
  const environment = { ...entryContext().environment, ANTHROPIC_API_KEY: 'ollama' };
  const logged: unknown[] = [];
  const log = entryContext().log;
  const warn = (_: unknown, message: string) => void logged.push(message);
  await handleEvent(
    event,
    attempt(1),
    entryContext({ environment, log: { ...log, warn: warn as typeof log.warn } }),
  );
  repository.comment(1, { author: 'ada', body: '/anode doctor' });
  await handleEvent(newestComment('guid-doctor'), attempt(1), entryContext({ environment }));
  const [report, doctor] = repository
    .comments(1)
    .flatMap(({ author, body }) => (author === login ? [body] : []));
  const note = 'is a placeholder or a short word';
  expect({
    logged: logged.filter((message) => String(message).includes(note)),
    report: report?.includes('Said something.') === true && !report.includes(note),
    doctor: doctor?.split('\n').find((line) => line.includes('Model')),
  }).toEqual({
    logged: [
      'The key in ANTHROPIC_API_KEY is a placeholder or a short word, not a secret: it is sent to the endpoint, and not hidden in text or files.',
    ],
    report: true,
    doctor:
      '| ✅ | Model | `anthropic/claude-sonnet-4-6`; its key is set (not tried). The key in ANTHROPIC_API_KEY is a placeholder or a short word, not a secret: it is sent to the endpoint, and not hidden in text or files |',
  });
});

test('a run without its preferred sandbox has no command tool, whatever rules allow', async () => {
  const config = 'sandbox: preferred\npermissions:\n  rules:\n    - { tool: bash, action: allow }\n';
  const { event } = await asked('acme/bare', '@anode run it', { '.github/anode.yml': config });
  let offered: string[] = [];
  answer = ({ messages, tools }) => {
    offered = tools.map(({ name }) => name);
    return messages.length === 1
      ? { calls: [{ name: 'bash', input: { command: 'node -e 1' } }] }
      : { text: JSON.stringify(messages.at(-1)) };
  };
  const bare = entryContext({ environment: { ...entryContext().environment, PATH: '/nonexistent' } });
  const handled = await handleEvent(event, attempt(1), bare);
  const outcome = handled.kind === 'run' ? handled.outcome : null;
  expect([offered.includes('bash'), offered.includes('edit_file')]).toEqual([false, true]);
  expect(outcome?.answer).toContain('This run has no sandbox, so nothing can be run in it.');
  expect(outcome?.diagnostics).toEqual([expect.stringContaining('So it has no tool that runs commands')]);
});

test('a reply that quotes an invalid configuration mentions nobody, closes nothing and fits', async () => {
  const key = `@acme/everyone fixes #1 ${'x'.repeat(70_000)}`;
  const { repository, event } = await asked('acme/shop', '@anode fix it', {
    '.github/anode.yml': `? ${JSON.stringify(key)}\n: 1\n`,
  });
  const handled = await handleEvent(event, attempt(1), entryContext());
  const [, posted] = repository.comments(1);
  const text = visible(posted?.body ?? '');
  expect({
    kind: handled.kind,
    author: posted?.author,
    start: text.slice(0, 125),
    length: text.length,
  }).toEqual({
    kind: 'none',
    author: login,
    start:
      'The configuration cannot be used, so nothing was started. .github/anode.yml:1:3: unknown key @\u200bacme/everyone fixes \u200b#1 xxxxxx',
    length: 2_000,
  });
});

test('a finished run survives an outage beyond its last attempt, and is published afterwards', async () => {
  const { repository, event } = await asked('acme/down', '@anode say something');
  // By its text, as the same comment is edited to show how the run goes on, whenever its time has come.
  const down = (times: number) =>
    github.failNext({
      ...{ method: 'PATCH', path: /\/down\/issues\/comments\//, body: /Said it\./ },
      ...{ status: 503, times },
    });
  const own = () => repository.comments(1).filter(({ author }) => author === login);
  answer = () => {
    down(1);
    return { text: 'Said it.' };
  };
  const before = model.requests.length;
  const third = handleEvent(event, attempt(3, { lastWhileDown: false }), entryContext());
  await expect(third).rejects.toMatchObject({ status: 503 });
  // A job of a workflow waits instead, as nobody calls again.
  down(4);
  const job = entryContext({ outageWaitsMs: [0, 0, 0, 0] });
  const last = await handleEvent(event, attempt(3), job);
  repository.comment(1, { author: 'ada', body: '@anode say something' });
  const again = await handleEvent(newestComment('guid-down-2'), attempt(3), entryContext());
  expect({
    kinds: [last.kind, again.kind],
    requests: model.requests.length - before,
    told: own().map(({ body }) => body.includes('Said it.')),
    untold: again.kind === 'run' ? again.published.failures : null,
  }).toEqual({
    kinds: ['run', 'run'],
    requests: 2,
    told: [true, false],
    untold: [expect.stringMatching(/^The report could not be posted: /)],
  });
});

test('every stored key names its repository by the ids', async () => {
  const { state } = entryContext();
  const keys = await state.list('');
  const ids = new Set([...github.world.repositories.values()].map(({ id }) => id));
  const strange = keys.filter((key) => {
    const tenant = tenantOfKey(key);
    return tenant?.installation !== 1 || !ids.has(tenant.repository);
  });
  expect([keys.length > 5, strange]).toEqual([true, []]);
});
