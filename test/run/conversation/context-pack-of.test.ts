import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProfiles } from '../../../src/agent/profiles/profiles.ts';
import { contextPackOf } from '../../../src/run/conversation/context-pack-of.ts';
import { openGuidance } from '../../../src/run/conversation/guidance.ts';
import { createConfinedFiles } from '../../../src/workspace/files/create-confined-files.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';
import { put } from '../../workspace/repository.ts';

test('project scripts are listed for runs that can run them, and skills for those that can load them', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'run-context-'));
  try {
    put(root, { 'package.json': '{"scripts": {"test": "node --test"}}' });
    const workspace = {
      start: '',
      files: createConfinedFiles({ root, readOnlyRoots: [] }),
    } as unknown as Workspace;
    const profiles = makeProfiles({ silent: { deny: ['bash'] } });
    const request = { config: {}, reviewDiff: null, resume: null };
    const guidance = openGuidance(request, profiles.find('craft'), workspace, () => undefined);
    const displayed = async (name: string, readOnly = false) => {
      const given = { readOnly, guidance, repositories: [], setupReport: null };
      const pack = await contextPackOf(given, profiles.find(name), workspace, Promise.resolve(null));
      return { scripts: pack.includes('test: node --test'), skills: pack.includes('\nSkills') };
    };
    expect({
      craft: await displayed('craft'),
      quick: await displayed('quick'),
      review: await displayed('review'),
      silent: await displayed('silent'),
      fork: await displayed('craft', true),
    }).toEqual({
      craft: { scripts: true, skills: true },
      quick: { scripts: true, skills: false },
      review: { scripts: false, skills: true },
      silent: { scripts: false, skills: true },
      fork: { scripts: false, skills: true },
    });
  } finally {
    rmSync(root, { recursive: true });
  }
});
