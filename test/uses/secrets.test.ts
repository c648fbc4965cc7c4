import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedRequest } from '../support/model/script.ts';
import {
  allTextBelow,
  canary,
  commandContents,
  lookingCalls,
  type Planted,
  placesIn,
  plant,
  secretVariables,
  sweep,
} from './support/canaries.ts';
import { call, lastResults } from './support/conversation.ts';
import { modelKey, type Stage, startStage } from './support/start-app.ts';
import { type Local, localKey, startLocal } from './support/start-local.ts';

/** The number of calls in one turn. */
const together = 25;

/** The text of a session whose program has ended. */
const ended = 'session_1 has ended';

/** A service that sends a canary to every client, like an agent of keys. */
async function startKeyAgent(socket: string): Promise<Server> {
  const server = createServer((peer) => peer.on('error', () => {}).end(canary('key_agent')));
  server.listen(socket);
  await once(server, 'listening');
  return server;
}

/** The turns of the agent: it looks by a program, in a command and in a session, then by every tool. */
function curious(planted: Planted, above: string, received: string[]) {
  const looks = lookingCalls(planted, above);
  const session = { action: 'open', command: 'bash sweep.sh' };
  return (turn: number, request: ScriptedRequest) => {
    received.push(lastResults(request));
    if (turn === 1) return { calls: [call('bash', { command: 'bash sweep.sh', timeout_ms: 60_000 })] };
    if (turn === 2) return { calls: [call('use_tool', { name: 'shell_session', args: session })] };
    const calls = looks.slice((turn - 3) * together, (turn - 2) * together);
    if (calls.length > 0) return { calls };
    if (lastResults(request).includes(ended)) return { text: 'I found nothing.' };
    const poll = { action: 'poll', session_id: 'session_1', yield_ms: 20_000 };
    return { calls: [call('use_tool', { name: 'shell_session', args: poll })] };
  };
}

/** The output of a sweep: the places it found, and that it came to its end. */
const whatSwept = (result: string) => [...placesIn(result), ...(result.match(/^swept$/m) ?? [])].join(' ');

/** A file of the repository that may be found: it proves that the search works. */
const control = { 'control.txt': `${canary('control')}\n` };

describe.skipIf(!available)('an agent that searches for secrets everywhere', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  describe('started from the command line, as in a job', () => {
    let local: Local;
    beforeAll(async () => {
      local = await startLocal();
    });
    afterAll(() => local.close());

    test('finds none by a program or a tool, and none reaches model, ledger or output', async () => {
      const above = path.dirname(local.home);
      const planted = plant({
        home: local.home,
        temp: path.join(above, '_work/_temp'),
        data: path.join(above, 'anode-data'),
      });
      const socket = path.join(above, 'agent.sock');
      const server = await startKeyAgent(socket);
      ends.push(() => server.close());
      const neighbour = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', canary('neighbour')]);
      ends.push(() => neighbour.kill());
      const folder = await local.checkout({ ...control, 'sweep.sh': sweep(planted, above, socket) });
      await local.git(folder, 'config', 'http.extraheader', canary('git_config'));
      mkdirSync(path.join(folder, 'other'));
      await local.git(path.join(folder, 'other'), 'init', '-q');
      await local.git(path.join(folder, 'other'), 'config', 'http.extraheader', canary('nested_git'));
      const receivedText: string[] = [];
      local.learn('look around', curious(planted, above, receivedText));
      const { code, stdout, stderr } = await local.anode(
        folder,
        [
          'run',
          '--prompt',
          'look around',
          '--preset',
          'unrestricted',
          '--sandbox',
          'required',
          '--output',
          'json',
        ],
        {
          environment: {
            ...planted.environment,
            SSH_AUTH_SOCK: socket,
            // A step has put programs beside the files of commands.
            PATH: `${path.join(above, '_work/_temp/bin')}:${process.env.PATH}`,
          },
        },
      );
      const requested = JSON.stringify(local.model.requests.map(({ raw }) => raw));
      const record = allTextBelow([path.join(folder, '.anode-harness')]);
      expect({ code, answer: JSON.parse(stdout).answer }).toEqual({ code: 0, answer: 'I found nothing.' });
      expect({
        heard: [receivedText[1] ?? '', receivedText.slice(2).join('\n')].map(whatSwept),
        model: placesIn(requested),
        record: placesIn(record),
        output: placesIn(stdout + stderr),
        key: [requested, record, stdout, stderr].filter((text) => text.includes(localKey)),
        commandFiles: commandContents(planted.environment),
      }).toEqual({
        heard: ['control swept', 'control swept'],
        model: ['control'],
        record: ['control'],
        output: [],
        key: [],
        commandFiles: planted.commandFiles,
      });
    });
  });

  describe('started by the App', () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await startStage({ ...secretVariables(), ANODE_SANDBOX: 'required' });
    });
    afterAll(() => stage.close());

    test('finds none, and none reaches model, log or thread', async () => {
      const above = stage.folder;
      const planted = plant({
        home: stage.folder,
        temp: path.join(above, '_work/_temp'),
        data: path.join(above, 'data'),
      });
      const socket = path.join(above, 'agent.sock');
      const server = await startKeyAgent(socket);
      ends.push(() => server.close());
      const repository = await stage.github.createRepository('acme/vault', {
        files: {
          ...control,
          'sweep.sh': sweep(planted, above, socket),
          '.github/anode.yml': 'sandbox: required\npermissions:\n  preset: unrestricted\n',
        },
      });
      repository.setPermission('ada', 'write');
      const issue = await repository.openIssue({ title: 'Look', body: 'Please.', author: 'ada' });
      const heard: string[] = [];
      stage.learn('look around', curious(planted, above, heard));
      repository.comment(issue.number, { body: '@anode look around', author: 'ada' });
      const report = await stage.report(repository, issue.number);
      const requestLog = JSON.stringify(stage.model.requests.map(({ raw }) => raw));
      const sent = JSON.stringify(
        stage.github.requests.filter(({ method }) => method !== 'GET').map(({ body }) => body),
      );
      expect({
        heard: [heard[1] ?? '', heard.slice(2).join('\n')].map(whatSwept),
        model: placesIn(requestLog),
        sent: placesIn(sent + report),
        files: placesIn(allTextBelow([path.join(above, 'data')])),
        log: placesIn(stage.server().lines.join('\n')),
        keys: [requestLog, sent, report].filter(
          (text) =>
            text.includes(modelKey) || text.includes('PRIVATE KEY') || text.includes(stage.app.webhookSecret),
        ),
        commandFiles: commandContents(planted.environment),
      }).toEqual({
        heard: ['control swept', 'control swept'],
        model: ['control'],
        sent: [],
        // The planted secrets, and those that the ledger reveals.
        files: ['control', 'mirror', 'other_repository', 'other_run', 'state'],
        log: [],
        keys: [],
        commandFiles: planted.commandFiles,
      });
    });
  });
});
