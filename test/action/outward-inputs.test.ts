import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type ScriptedModel, startScriptedModel } from '../support/model/scripted-model.ts';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { actionKey, type Job, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
/** Serves pages as a proxy, since each name leads to a private address here. */
let proxy: Server;
const asked: string[] = [];
let otherModel: ScriptedModel;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: {
      'main.js': "console.log(require('greeting'));\n",
      'greeting/index.js': "module.exports = 'hello';\n",
      'greeting/package.json': '{ "name": "greeting", "version": "1.0.0" }\n',
      'package.json': '{ "name": "shop", "dependencies": { "greeting": "file:greeting" } }\n',
      'package-lock.json': JSON.stringify({
        ...{ name: 'shop', lockfileVersion: 3, requires: true },
        packages: {
          '': { name: 'shop', dependencies: { greeting: 'file:greeting' } },
          greeting: { version: '1.0.0' },
          'node_modules/greeting': { resolved: 'greeting', link: true },
        },
      }),
    },
  });
  shop.setPermission('ada', 'write');
  otherModel = await startScriptedModel({
    key: actionKey,
    script: () => ({ text: 'From the other address.' }),
  });
  proxy = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/plain' }).end('The colour is blue.');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  proxy.close().closeAllConnections();
  await otherModel.close();
  await job.close();
});

const step = (
  inputs: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
) => {
  const payload = { action: 'nightly', repository: { full_name: 'acme/shop' }, client_payload: {} };
  return job.run(shop, { event: 'repository_dispatch', payload, actor: 'ada', inputs, environment });
};

test.skipIf(!available)('setup runs before the agent, whose commands use its result', async () => {
  const said: string[] = [];
  job.learn('greet the user', (turn, request) => {
    if (turn > 1) said.push(lastResults(request));
    return turn === 1 ? { calls: [call('bash', { command: 'node main.js' })] } : { text: 'Greeted.' };
  });
  const { code, stderr, outputs, status } = await step({ prompt: 'greet the user', setup: 'npm ci' });
  const [first] = job.requestsFor('greet the user');
  expect({
    ...{ code, stderr, status, said: said.map((text) => /^hello$/m.test(text)) },
    conclusion: outputs.conclusion,
    isTold: first !== undefined && allTextOf(first).includes('the set-up ran `npm ci`.'),
  }).toEqual({ code: 0, stderr: '', status: '', said: [true], conclusion: 'success', isTold: true });
});

test('network_allow opens the pages of its hosts, and of no other', async () => {
  const said: string[] = [];
  job.learn('look up the colour', (turn, request) => {
    if (turn > 1) said.push(lastResults(request));
    const hosts = ['docs.test', 'other.test'];
    return turn > hosts.length
      ? { text: 'Blue.' }
      : { calls: [call('web_fetch', { url: `http://${hosts[turn - 1]}/colour` })] };
  });
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const environment = { HTTP_PROXY: address, NO_PROXY: '127.0.0.1' };
  const prompt = 'look up the colour';
  const open = await step({ prompt, network_allow: 'docs.test' }, environment);
  const closed = await step({ prompt }, environment);
  expect({ codes: [open.code, closed.code], stderr: open.stderr + closed.stderr, said, asked }).toEqual({
    ...{ codes: [0, 0], stderr: '' },
    said: [
      expect.stringContaining('The colour is blue.'),
      expect.stringContaining('which is not among the allowed hosts. Permitted hosts: docs.test.'),
      expect.stringContaining('web_fetch'),
      expect.stringContaining('web_fetch'),
    ],
    asked: ['http://docs.test/colour'],
  });
});

test('assignee_trigger starts the implementation for the named accounts only', async () => {
  job.learn('Implement what this issue asks', (turn) =>
    turn === 1 ? { calls: [call('create_file', { path: 'done.md', content: 'x\n' })] } : { text: 'Done.' },
  );
  const { number } = await shop.openIssue({ title: 'Greet twice', author: 'ada' });
  const issue = job.github.lastEventPayload('issues', 'opened');
  const assign = (login: string) =>
    job.run(shop, {
      ...{ event: 'issues', actor: 'ada' },
      payload: { ...issue, action: 'assigned', assignee: { login, type: 'User', id: 5 } },
      inputs: { assignee_trigger: 'helper-1, helper-2' },
    });
  const [other, named] = [await assign('bob'), await assign('helper-2')];
  expect({
    other: [other.code, other.outputs.conclusion, other.outputs.final_message],
    named: [named.code, named.stderr, named.outputs.conclusion],
    pulls: shop
      .pulls()
      .map((pull) => [String(pull.number) === named.outputs.pr_number, pull.body?.includes(`#${number}`)]),
  }).toEqual({
    other: [0, 'skipped', expect.stringContaining('No run was started')],
    named: [0, '', 'success'],
    pulls: [[true, true]],
  });
});

test('base_url sends the requests to that address, also if the environment names another', async () => {
  const inputs = {
    prompt: 'say where you are',
    model: 'anthropic/claude-sonnet-4-6',
    base_url: otherModel.url,
  };
  const { code, stderr, outputs } = await step(inputs);
  expect({
    ...{ code, stderr, said: outputs.final_message },
    requests: [otherModel.requests.length, job.requestsFor('say where you are').length],
  }).toEqual({ code: 0, stderr: '', said: 'From the other address.', requests: [1, 0] });
});
