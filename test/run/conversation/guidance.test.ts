import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProfiles } from '../../../src/agent/profiles/profiles.ts';
import { newTouchedFiles } from '../../../src/agent/reminders/touched-files.ts';
import { parseConfig } from '../../../src/config/parse-config.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { type GuidanceRequest, openGuidance } from '../../../src/run/conversation/guidance.ts';
import { createConfinedFiles } from '../../../src/workspace/files/create-confined-files.ts';
import { put } from '../../workspace/repository.ts';

let folder: string;
let bare: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'guidance-'));
  bare = path.join(folder, 'bare');
  put(path.join(folder, 'tree'), {
    'AGENTS.md': 'Be brief.',
    'api/AGENTS.md': 'Version every route.',
    '.agents/skills/house.md': 'Our way\n\nDo as we do.',
    '.agents/skills/deploy.md': 'Put it live\n\nPush.',
    '.claude/skills/broken/SKILL.md': 'No front matter.',
  });
  put(bare, { 'a.txt': 'a' });
});
afterAll(() => rmSync(folder, { recursive: true }));

function open(
  config: string,
  profile = 'craft',
  root = path.join(folder, 'tree'),
  rest: Partial<GuidanceRequest> = {},
) {
  const entries: RunEntry[] = [];
  const parsed = config === '' ? {} : parseConfig(config, 'anode.yml');
  const workspace = { start: '', files: createConfinedFiles({ root, readOnlyRoots: [] }) };
  const request = { config: parsed, reviewDiff: null, resume: null, ...rest };
  const guidance = openGuidance(request, makeProfiles(parsed.profiles).find(profile), workspace, (entry) =>
    entries.push(entry),
  );
  return { guidance, entries };
}

const displayed = async (...given: Parameters<typeof open>) =>
  (await open(...given).guidance.skillNote())?.split('\n').slice(1) ?? null;

const ours = expect.stringMatching(/^browse_wiki, bug_hunt, .*, ui_consistency_review$/);

test('the first message names the skills that configuration and profile permit', async () => {
  const profiles = 'profiles: { tidy: { skills: { visible: [house, simplify] } }, plain: { deny: [skill] } }';
  expect([
    await displayed(''),
    await displayed('', 'craft', bare),
    await displayed('skills: { visible: [house, "*_message", "*_writer", "*_review"], deny: ["*_review"] }'),
    await displayed(`skills: { deny: [simplify] }\n${profiles}`, 'tidy'),
    await displayed(profiles, 'plain'),
    await displayed('', 'quick'),
    await displayed('tools: { disabled: [skill] }'),
  ]).toEqual([
    ['deploy: Put it live', 'house: Our way', ours],
    [ours],
    ['house: Our way', 'commit_message, docs_writer'],
    ['house: Our way'],
    null,
    null,
    null,
  ]);
});

test('a child gets the skills of its own profile', async () => {
  const profiles = makeProfiles();
  const { guidance } = open('');
  const lines = async (name: string) => (await guidance.skillNote(profiles.find(name)))?.split('\n').slice(1);
  expect([await lines('quick'), await lines('review')]).toEqual([
    undefined,
    ['deploy: Put it live', 'house: Our way', ours],
  ]);
});

test('an unusable skill is reported to the operator, and the writable skill folders come from the configuration', async () => {
  const { guidance, entries } = open('protected: { allow: [".agents/skills/**"] }');
  await guidance.skills.index();
  await guidance.skills.index();
  const message = '.claude/skills/broken/SKILL.md has no description in its front matter, so it is no skill.';
  expect(entries).toEqual([{ type: 'diagnostic', level: 'warning', message }]);
  const file = '.agents/skills/new/SKILL.md';
  expect([await guidance.skills.mayWrite(file), await open('').guidance.skills.mayWrite(file)]).toEqual([
    true,
    false,
  ]);
});

test('only some of many unusable skills are named, and the others counted', async () => {
  const root = path.join(folder, 'many');
  put(
    root,
    Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`.claude/skills/s${at}/SKILL.md`, 'x'])),
  );
  const { guidance, entries } = open('', 'craft', root);
  await guidance.skills.index();
  const reported = entries.map((entry) => (entry.type === 'diagnostic' ? entry.message : ''));
  expect([reported.length, reported.at(-1)]).toEqual([
    11,
    '3 more skills cannot be used; list_skills names them.',
  ]);
});

test('a resumed session has its active instructions without a second reminder', async () => {
  const before = [
    { ref: 'AGENTS.md', applies: 'this repository', text: 'As it was.' },
    { ref: 'api/AGENTS.md', applies: 'api/', text: 'As it was here.' },
  ];
  const { guidance, entries } = open('', 'craft', undefined, {
    resume: { session: { instructions: before } },
  });
  expect(entries).toEqual(before.map((activated) => ({ type: 'instructions', activated })));
  const files = newTouchedFiles();
  const [note] = guidance.reminders({ touched: files, child: false });
  const [forChild] = guidance.reminders({ touched: files, child: true });
  const turn = { turn: 1, turnsLeft: 9, calls: [], results: [] };
  const touch = () => files.add({ what: '', paths: [{ path: 'api/a.ts', access: 'read' }] });
  touch();
  expect(await note?.(turn)).toBeNull();
  touch();
  expect(await forChild?.(turn)).toBe(
    'Instructions of this repository for api/ (api/AGENTS.md):\nAs it was here.',
  );
});
