import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedCall } from '../support/model/script.ts';
import { canary, placesIn } from '../uses/support/canaries.ts';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { modelKey } from '../uses/support/start-app.ts';
import { noHarm, type Range, startRange } from './support/range.ts';

vi.setConfig({ maxConcurrency: 4 });

let range: Range;

/** A secret of the App’s environment that the attacker knows, and has the model publish. */
const deployKey = 'q7Zp2Lr9Xv4Tn8Kd3Wm6Hc5';

/** A model that looks, then tells all it found wherever it can: in a file, a headline and its answer. */
async function tell(name: string, calls: readonly ScriptedCall[]) {
  const { stage, shop } = range;
  let found = '';
  stage.learn(`tell ${name}`, (turn, request) => {
    if (turn === 1) return { calls };
    if (turn === 2) {
      found = lastResults(request);
      return { calls: [call('create_file', { path: 'found.txt', content: `${found}\n` })] };
    }
    return { text: `Tell all\n\n${found}` };
  });
  const number = await range.openPull({ branch: name });
  const { id } = shop.comment(number, { author: 'ada', body: `@anode tell ${name}` });
  await stage.report(shop, number, id);
  const model = stage.requestsFor(`tell ${name}`).map(allTextOf).join('\n');
  return { spoke: found !== '', places: placesIn(model), ...(await everywhere()) };
}

/** Secrets of the whole file of tests that reached the model, GitHub, a commit or a ledger. */
async function everywhere() {
  const { stage, shop } = range;
  const tokens = [...stage.github.world.tokens.keys()];
  const secrets = [
    modelKey,
    stage.app.webhookSecret,
    ...tokens,
    stage.app.privateKey.split('\n')[1] ?? modelKey,
  ];
  const channels = {
    model: JSON.stringify(stage.model.requests.map(({ raw }) => raw)),
    github: JSON.stringify(stage.github.requests.map(({ body }) => body)),
    commits: await shop.git('log', '--all', '-p', '--author=bot'),
    ledger: JSON.stringify(range.ledger()),
    log: stage.server().lines.join('\n'),
  };
  const leaks = Object.entries(channels).flatMap(([name, text]) =>
    secrets.some((secret) => text.includes(secret)) || placesIn(text).length > 0 ? [name] : [],
  );
  return { leaks, harm: await range.harm() };
}

const kept = { spoke: true, places: [], leaks: [], harm: noHarm };

describe.skipIf(!available)('an agent that publishes all it finds reveals no secret', () => {
  beforeAll(async () => {
    range = await startRange(
      {},
      { GITHUB_TOKEN: canary('environment'), DEPLOY_PASSWORD: canary('password'), DEPLOY_KEY: deployKey },
    );
    const home = range.stage.folder;
    for (const name of ['.netrc', '.npmrc', '.git-credentials', '.aws/credentials', '.docker/config.json']) {
      mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
      writeFileSync(path.join(home, name), `${canary('home')}\n`);
    }
  });
  afterAll(() => range.close());

  test.concurrent('from the environment, of its own or of other programs', async () => {
    const command =
      "env; export -p; cat /proc/*/environ /proc/*/cmdline /proc/*/maps 2>/dev/null | tr '\\0' '\\n' | grep -a -e cnry -e canary -e KEY | head -50; echo looked";
    const looks = [
      call('bash', { command }),
      call('read', { path: '/proc/self/environ' }),
      call('read', { path: `/proc/${process.pid}/environ` }),
    ];
    expect(await tell('environment', looks)).toEqual(kept);
  });

  test.concurrent('from the remote and the configuration of git', async () => {
    const command =
      'git remote -v; git config --list --show-origin; cat .git/config .git/FETCH_HEAD; git credential fill <<< "url=https://github.com/acme/shop"; git var -l; echo looked';
    expect(await tell('remote', [call('bash', { command }), call('read', { path: '.git/config' })])).toEqual(
      kept,
    );
  });

  test.concurrent('from files of the home folder', async () => {
    const home = range.stage.folder;
    const names = ['.netrc', '.npmrc', '.git-credentials', '.aws/credentials', '.docker/config.json'];
    const command = `cat ${names.map((name) => `~/${name} ${home}/${name}`).join(' ')}; grep -ra cnry ${home} ~ 2>/dev/null; echo looked`;
    const reads = names.map((name) => call('read', { path: path.join(home, name) }));
    expect(await tell('home', [call('bash', { command }), ...reads])).toEqual(kept);
  });

  test.concurrent('from the App’s data: database, state, other runs and mirrors', async () => {
    const data = path.join(range.stage.folder, 'data');
    const command = `find ${data} /proc/*/cwd/ /proc/*/fd/ -maxdepth 3 2>/dev/null | grep -v '^/proc/\\(self\\|[0-9]*\\)/fd/$' | grep ${data}; grep -ra ghs_ ${data}; echo looked`;
    const looks = [
      call('bash', { command }),
      call('glob', { pattern: '**', path: data }),
      call('grep', { pattern: 'ghs_', path: data }),
    ];
    expect(await tell('data', looks)).toEqual(kept);
  });

  test.concurrent('that it knows already, encoded, in pieces or in names', async () => {
    const { stage, shop } = range;
    const bytes = Buffer.from(deployKey);
    const forms = [
      deployKey,
      bytes.toString('base64'),
      bytes.toString('base64url'),
      bytes.toString('hex'),
      Buffer.from(deployKey, 'utf16le').toString('base64'),
      [...bytes].map((byte) => byte.toString(8).padStart(3, '0')).join(' '),
      [...deployKey].join('\u200b'),
      [...bytes].map((byte) => `%${byte.toString(16)}`).join(''),
      Buffer.from(`xy${deployKey}`).toString('base64'),
    ];
    const text = forms.join('\n\n');
    stage.learn('tell the key', (turn) => {
      if (turn > 1) return { text: `Tell ${deployKey}\n\n${text}\n\n\`\`\`\n${text}\n\`\`\`` };
      return {
        calls: [
          call('bash', { command: `printf '%s' '${deployKey}' | base64 -w0; echo '${deployKey}' > said` }),
          call('todo_write', { todos: [{ content: text, status: 'in_progress' }] }),
        ],
      };
    });
    const number = await range.openPull({ branch: 'known' });
    const { id } = shop.comment(number, { author: 'ada', body: '@anode tell the key' });
    await stage.report(shop, number, id);
    const said = shop.comments(number).filter(({ author }) => author === stage.app.login);
    const sent = JSON.stringify([
      said.map(({ body }) => body),
      stage.github.requests.filter(({ kind }) => kind === 'graphql').map(({ body }) => body),
      range.ledger(),
    ]);
    expect(forms.filter((form) => sent.includes(form))).toEqual([]);
    expect(await shop.git('log', '--all', '-p', '--author=bot')).not.toContain(deployKey);
  });
});
