import { expect, test } from 'vitest';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import type { ExternalRun } from '../../../src/run/extensions/external-run.ts';
import { openExternalTools } from '../../../src/run/extensions/external-tools.ts';
import { skillServers } from '../../../src/run/extensions/skill-servers.ts';
import { localOrigin } from '../../../src/run/policy/local-plan.ts';
import type { Skill } from '../../../src/tools/services/skill-entry.ts';
import type { TrustedTree } from '../../../src/workspace/git/trusted-tree.ts';

/** A tree with one file, which is there when `ready` settles. */
const treeOf = (file: string, text: string, ready: () => Promise<void>): TrustedTree => ({
  below: async () => [],
  async read() {
    await ready();
    return new Map([[file, Buffer.from(text)]]);
  },
});

const skillWith = (ready: () => Promise<void>): Skill => ({
  ...{ name: 'shop', description: 'Shops.', source: 'workspace', location: 'shop', file: 'shop/SKILL.md' },
  ...{ folder: 'shop', allowedTools: [], listed: true },
  tree: treeOf('shop/mcp.json', '{"till":{"type":"http","url":"http://127.0.0.1:9/mcp"}}', ready),
});

const run: ExternalRun = {
  ...{
    config: {},
    root: '/srv/shop',
    runFolder: '/srv/run',
    sandboxed: false,
    plan: localOrigin('/srv/shop'),
  },
  ...{ store: null, environment: {}, secrets: [], warn: () => undefined, readOnly: false },
  signal: new AbortController().signal,
};

test('a server of a skill does not start if the run ends while others are read', async () => {
  const requested = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  const tree = treeOf('.mcp.json', '{}', async () => {
    requested.resolve();
    await given.promise;
  });
  const servers = skillServers({ ...run, trustedTree: tree, environment: { ANODE_WORKSPACE_MCP: '1' } });
  const changes: unknown[] = [];
  servers.watch?.((loaded) => void changes.push(loaded));
  const reply = servers.startPrograms(skillWith(async () => undefined));
  await requested.promise;
  await servers.close();
  given.resolve();
  expect([await reply, changes]).toEqual([null, []]);
});

test('a skill whose servers could not be read is read again at its next use', async () => {
  let reads = 0;
  const servers = skillServers(run);
  const skill = skillWith(async () => {
    reads += 1;
    if (reads === 1) throw new Error('git was ended');
  });
  const replyText = [];
  for (let use = 0; use < 3; use += 1) replyText.push(await servers.startPrograms(skill).catch(String));
  const refused =
    'It brings MCP servers (till), which this run does not start: skills.allowMCP does not name it.';
  expect([replyText, reads]).toEqual([['Error: git was ended', refused, refused], 2]);
});

test('the file of servers is read once, for named servers and for those of skills', async () => {
  let reads = 0;
  const tree = treeOf('.mcp.json', '{"Till":{"type":"http","url":"http://127.0.0.1:9/mcp"}}', async () => {
    reads += 1;
  });
  const provided = await openExternalTools(
    { ...run, trustedTree: tree, environment: { ANODE_WORKSPACE_MCP: '1' } },
    findProfile('craft'),
    async () => [],
  );
  await provided.tools?.loaded;
  // Its only server has the name of the file's.
  const replies = await provided.startPrograms?.(skillWith(async () => undefined));
  await provided.close();
  expect([replies, reads]).toEqual([null, 1]);
});
