import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { JsonObject } from '../src/contract/json.ts';
import { handleEvent } from '../src/pipeline/worker.ts';
import { createLog } from '../src/redaction/create-log.ts';
import { createRedactor } from '../src/redaction/redact.ts';
import type { Script } from './support/model/script.ts';
import {
  attempt,
  entryContext,
  github,
  login,
  model,
  newestComment,
  startWorkerEdges,
} from './support/worker-fixture.ts';

const canary = 'kR7vX2mQ9-tB4wZ_8pL3nD6';
const forms = {
  itself: canary,
  base64: Buffer.from(canary).toString('base64').slice(2, -4),
  backwards: [...canary].reverse().join(''),
  hexadecimal: Buffer.from(canary).toString('hex'),
};
const leaks = (text: string) =>
  Object.entries(forms).flatMap(([name, form]) => (text.includes(form) ? [name] : []));

let answer: Script = () => ({ text: '' });
startWorkerEdges((request) => answer(request));

test('no channel reveals a secret: requests, ledger, comments, commits, log and state', async () => {
  const written = Object.values(forms).join('\n');
  const repository = await github.createRepository('acme/leaky', {
    files: { 'AGENTS.md': `Use ${written}`, 'notes.txt': `${written}\n`, 'a.txt': 'a\n' },
  });
  repository.setPermission('ada', 'write');
  await repository.openIssue({
    title: `Dates ${canary}`,
    author: 'ada',
    body: `<!-- hidden -->\nWith ${written}`,
  });
  repository.comment(1, { author: 'ada', body: `@anode look at ${canary}` });
  answer = ({ messages }) => {
    if (messages.length === 1) return { calls: [{ name: 'read', input: { path: 'notes.txt' } }] };
    if (messages.length === 3) {
      const todos = [{ content: `Use ${written}`, status: 'in_progress' }];
      return {
        text: `I saw ${written}`,
        calls: [
          { name: 'todo_write', input: { todos } },
          { name: 'create_file', input: { path: 'out.txt', content: `${canary}\n` } },
          { name: 'edit_file', input: { path: 'a.txt', old_string: 'a\n', new_string: 'b\n' } },
        ],
      };
    }
    return { text: `Write it down\n\nIt is ${written}, says [a](https://evil.test/${canary}).` };
  };
  const lines: string[] = [];
  const run = entryContext({
    log: createLog('info', { write: (text) => void lines.push(text) }, [canary]),
    environment: { ...entryContext().environment, SERVICE_TOKEN: canary },
  });
  run.log.info({ key: canary }, `starting with ${canary}`);
  const handled = await handleEvent(newestComment(null), attempt(1, { last: true }), run);
  if (handled.kind !== 'run') throw new Error('There was no run.');
  const [pull] = repository.pulls();
  const own = repository.comments(1).filter(({ author }) => author === login);
  expect({
    requests: leaks(JSON.stringify(model.requests.map(({ raw }) => raw))),
    ledger: leaks(await readFile(handled.ledgerFile, 'utf8')),
    comments: leaks(JSON.stringify(own)),
    pull: leaks(JSON.stringify(pull ?? null)),
    outcome: leaks(JSON.stringify(handled.outcome)),
    log: leaks(lines.join('')),
    logged: lines.map((text) => JSON.parse(text) as JsonObject).some(({ key }) => key === '[redacted]'),
    files: handled.outcome.changes.files.map((file) => file.path),
    told: handled.outcome.diagnostics,
    hidden: own.some(({ body }) => body.includes('Hidden text in 1 place')),
  }).toEqual({
    requests: [],
    ledger: [],
    comments: [],
    pull: [],
    outcome: [],
    log: [],
    logged: true,
    files: ['a.txt'],
    told: ['out.txt was left out: it contains a credential of this run. The other changes are kept.'],
    hidden: true,
  });
});

test('the test finds each form of the secret in unredacted text', () => {
  expect([
    leaks(Object.values(forms).join(' ')),
    leaks(createRedactor([canary])(Object.values(forms).join('\n'))),
  ]).toEqual([Object.keys(forms), []]);
});
