import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RunPlan } from '../../../src/contract/plan.ts';
import { fetchAttachments } from '../../../src/pipeline/prepare/fetch-attachments.ts';
import { handleEvent } from '../../../src/pipeline/worker.ts';
import { samplePlan } from '../../reporting/samples.ts';
import { jpeg, png } from '../../support/images.ts';
import type { Script, ScriptedRequest } from '../../support/model/script.ts';
import {
  attempt,
  entryContext,
  github,
  model,
  newestComment,
  startWorkerEdges,
} from '../../support/worker-fixture.ts';

let answer: Script;
startWorkerEdges((request) => answer(request));

async function open(name: string, body: string) {
  const repository = await github.createRepository(name, { files: { 'README.md': '# Here\n' } });
  repository.setPermission('ada', 'write');
  await repository.openIssue({ title: 'Dates', author: 'rex', body });
  return repository;
}

/** What the newest comment leads to. */
const handle = (name: string) =>
  handleEvent(newestComment(`guid-${name}`), attempt(1, { last: true }), entryContext({ canAsk: true }));

const shot = png({ width: 30, height: 20 });
const photo = jpeg({ width: 8, height: 8 });
const imagesOf = (request: ScriptedRequest | undefined) =>
  (request?.messages ?? []).flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'tool_result' ? part.content.filter(({ type }) => type === 'image') : [],
    ),
  );
const part = (bytes: Buffer, kind: string) => ({
  type: 'image',
  media_type: `image/${kind}`,
  data: bytes.toString('base64'),
});
const lookAt = (target: string) => ({ name: 'use_tool', input: { name: 'look_at', args: { target } } });
const marker = (number: number) => `[image-${number}, attached]`;

test('the model receives the thread’s images once, each named in its text', async () => {
  const [own, other, text] = [
    github.upload(shot, { private: true }),
    github.upload(photo),
    github.upload(Buffer.from('no image')),
  ];
  const repository = await open('acme/seen', `Look ![here](${other}) and <img alt="x" src="${text}">`);
  repository.comment(1, { author: 'ada', body: `@anode what is wrong on ![](${own})?` });
  answer = ({ messages }) =>
    messages.length === 1
      ? { calls: [lookAt('image-1'), lookAt('image-2'), lookAt('image-3')] }
      : { text: 'The date.' };
  const from = model.requests.length;
  const handled = await handle('seen');
  const [first, second] = model.requests.slice(from);
  const told = JSON.stringify(first?.messages);
  expect(JSON.parse(JSON.stringify(first?.messages))[0].parts.at(-1).text).toContain(
    `what is wrong on ${marker(1)}?`,
  );
  expect(told).toContain(JSON.stringify(`Look ${marker(2)} and ${marker(3)}`).slice(1, -1));
  expect(told).toContain('(Attached images: image-1, image-2, image-3. To see one, call use_tool with');
  expect(imagesOf(second)).toEqual([part(shot, 'png'), part(photo, 'jpeg')]);
  expect(JSON.stringify(second?.messages)).toContain(
    'image-3 could not be fetched: it is a text file, no image that can be shown. Go on without it.',
  );
  if (handled.kind !== 'run') throw new Error(`the run was ${handled.kind}`);
  expect(handled.outcome.diagnostics).toContainEqual(
    expect.stringContaining('image-3 of the thread could not be fetched: it is a text file'),
  );
  const record = readFileSync(handled.ledgerFile, 'utf8');
  expect(record.split(shot.toString('base64'))).toHaveLength(2);
});

test('a plan without images fetches nothing, and a missing token is reported as its failure', async () => {
  const asked: string[] = [];
  const without = {
    apiUrl: 'http://127.0.0.1:1',
    readToken: () => {
      asked.push('token');
      return Promise.reject(new Error('no token'));
    },
    signal: new AbortController().signal,
  };
  expect(await fetchAttachments(samplePlan(), without)).toEqual([]);
  expect(asked).toEqual([]);
  const image = { name: 'image-1', url: github.upload(shot), place: { kind: 'description' as const } };
  expect(await fetchAttachments(samplePlan({ attachments: [image] }), without)).toEqual([
    { name: 'image-1', failure: 'there was no token to read it.' },
  ]);
});

test('a plan that was stored before images existed has none', () => {
  const { attachments: _, ...kept } = samplePlan();
  expect(RunPlan.parse(kept)).toEqual(samplePlan());
});

test('a reply adds its images to those of the conversation', async () => {
  const [before, reply] = [github.upload(shot), github.upload(photo)];
  const repository = await open('acme/reply', `![](${before})`);
  repository.comment(1, { author: 'ada', body: '@anode fix it' });
  answer = ({ messages }) =>
    messages.length === 1
      ? { calls: [lookAt('image-1')] }
      : { calls: [{ name: 'ask_user', input: { question: 'How should it look?' } }] };
  await handle('ask');
  repository.comment(1, { author: 'ada', body: `@anode like ![](${reply})` });
  answer = ({ messages }) =>
    messages.length === 5 ? { calls: [lookAt('image-2'), lookAt('image-1')] } : { text: 'Now I see.' };
  const from = model.requests.length;
  const handled = await handle('answer');
  const [first, second] = model.requests.slice(from);
  expect(handled.kind).toBe('run');
  expect(JSON.stringify(first?.messages.at(-1))).toContain(
    JSON.stringify(`The user answered: like ${marker(2)}`).slice(1, -1),
  );
  expect(JSON.stringify(first?.messages.at(-1))).toContain('(Attached images: image-1, image-2. To see one');
  expect(imagesOf(first)).toEqual([part(shot, 'png')]);
  expect(imagesOf(second)).toEqual([part(shot, 'png'), part(photo, 'jpeg'), part(shot, 'png')]);
});
