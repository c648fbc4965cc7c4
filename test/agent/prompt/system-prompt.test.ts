import { describe, expect, it } from 'vitest';
import { findProfile, makeProfiles, type Profile } from '../../../src/agent/profiles/profiles.ts';
import { withoutCommands, withToolProfile } from '../../../src/agent/profiles/tool-filters.ts';
import { systemPrompt } from '../../../src/agent/prompt/system-prompt.ts';

const reply = (preset: string, approvals: boolean, sandboxed: boolean, profile = 'craft') => {
  const text = systemPrompt(findProfile(profile), preset, { approvals, sandboxed });
  return {
    strict: text.includes('This run is strict'),
    proposes: text.includes('kept in the report as a proposal'),
    waits: text.includes("needs a person's approval ends this run"),
    unconfined: text.includes('There is no sandbox here'),
  };
};

describe('the system prompt', () => {
  it("describes a run's rights by preset, sandbox and whether a person can be asked", () => {
    expect({
      careful: reply('careful', false, true),
      'careful, asking': reply('careful', true, true),
      'careful, no sandbox': reply('careful', false, false),
      unrestricted: reply('unrestricted', false, false),
      strict: reply('strict', false, true),
      'strict, asking': reply('strict', true, true),
    }).toEqual({
      careful: { strict: false, proposes: false, waits: false, unconfined: false },
      'careful, asking': { strict: false, proposes: false, waits: true, unconfined: false },
      'careful, no sandbox': { strict: false, proposes: false, waits: false, unconfined: true },
      unrestricted: { strict: false, proposes: false, waits: false, unconfined: false },
      strict: { strict: true, proposes: true, waits: false, unconfined: false },
      'strict, asking': { strict: true, proposes: false, waits: true, unconfined: false },
    });
  });

  it('does not mention changes, checks and commits to a read-only run', () => {
    const text = (name: string, readOnly: boolean, child: boolean) =>
      systemPrompt({ ...findProfile(name), readOnly }, 'careful', {
        approvals: false,
        sandboxed: true,
        child,
      });
    const ofChanges = /smallest change|run the check|Do not commit|published|headline|what you changed and/g;
    const found = (readOnly: boolean, child: boolean) =>
      ['craft', 'quick', 'study'].map((name) => text(name, readOnly, child).match(ofChanges)?.length ?? 0);
    expect([found(true, false), found(true, true).map(Boolean), found(false, false)]).toEqual([
      [0, 0, 0],
      [true, true, true],
      [6, 6, 6],
    ]);
    expect(text('study', true, true)).toContain('name the files and lines that your answer rests on');
  });

  it('says that commands may only read if a run on a fork may change files', () => {
    const text = (name: string, commandsReadOnly: boolean) =>
      systemPrompt(findProfile(name), 'careful', { approvals: false, sandboxed: true, commandsReadOnly });
    const words = 'Commands of this run may only read';
    expect(
      [text('craft', true), text('craft', false), text('review', true)].map((one) => one.includes(words)),
    ).toEqual([true, false, false]);
    const idle = withoutCommands(findProfile('craft'));
    const none = { approvals: false, sandboxed: false, commandsReadOnly: true };
    expect(systemPrompt(idle, 'careful', none)).not.toContain(words);
  });

  it('promises no more than a patch where the pull request is closed', () => {
    const lines = ['craft', 'quick'].flatMap((name) =>
      systemPrompt(findProfile(name), 'careful', { approvals: false, sandboxed: true, patchOnly: true })
        .split('\n')
        .filter((line) => line.startsWith('- Do not commit')),
    );
    const line =
      '- Do not commit, push or open pull requests: commits are gone when this run ends; your changed files are posted as a patch, as the pull request is closed.';
    expect(lines).toEqual([line, line]);
  });

  it('says that commands cannot run without such a tool, except to a read-only run', () => {
    const text = (profile: string, preset: string) =>
      systemPrompt(withoutCommands(findProfile(profile)), preset, { approvals: false, sandboxed: false });
    const replyText = ['careful', 'strict', 'unrestricted'].map((preset) => text('craft', preset));
    const words = 'There is no sandbox here, so nothing can be run: no commands, tests or builds.';
    expect(replyText.map((one) => [one.includes(words), one.includes('provably read')])).toEqual(
      replyText.map(() => [true, false]),
    );
    expect(text('review', 'careful')).not.toContain(words);
  });

  it('does not mention presets to a read-only profile', () => {
    const text = (preset: string) =>
      systemPrompt(findProfile('review'), preset, { approvals: true, sandboxed: false });
    expect(text('strict')).toBe(text('careful'));
  });

  it('differs for each profile except study, and quick gets the presets as craft does', () => {
    const texts = makeProfiles().all.map((profile) =>
      systemPrompt(profile, 'careful', { approvals: false, sandboxed: true }),
    );
    expect(new Set(texts).size).toBe(texts.length - 1);
    expect(reply('strict', false, true, 'quick').strict).toBe(true);
    expect(reply('strict', false, true, 'oracle').strict).toBe(false);
  });

  it('of a configured profile is that of its base plus its own text', () => {
    const { find } = makeProfiles({
      mine: { extends: 'find', instructions: 'Look into the manual first.' },
      reading: { readOnly: true },
    });
    const text = (profile: Profile, preset = 'careful', child = false) =>
      systemPrompt(profile, preset, { approvals: true, sandboxed: true, child });
    expect(text(find('mine'))).toBe(`${text(findProfile('find'))}\n\nLook into the manual first.`);
    expect(text(find('reading'), 'strict')).toBe(text(find('reading')));
    expect(text(find('mine'), 'careful', true)).toMatch(
      /\nAnother agent gave you this task and gets your last message.*\n\nLook into the manual first\.$/s,
    );
  });

  it('of a child does not mention reports, headlines or publishing', () => {
    const replies = (name: string, child: boolean, readOnly = false) => {
      const profile = { ...findProfile(name), readOnly };
      const text = systemPrompt(profile, 'careful', { approvals: false, sandboxed: true, child });
      return ['posted as the report', 'commit headline', 'Do not commit'].filter((words) =>
        text.includes(words),
      );
    };
    const all = ['posted as the report', 'commit headline', 'Do not commit'];
    expect([
      replies('craft', false),
      replies('quick', false),
      replies('craft', true),
      replies('quick', true, true),
    ]).toEqual([all, all, ['Do not commit'], []]);
  });

  it("mentions only the run's own tools", () => {
    const craft = findProfile('craft');
    const text = (profile: Profile) =>
      systemPrompt(profile, 'careful', { approvals: false, sandboxed: true });
    const named = ['todo_write', 'ask_user', 'edit_file'];
    const toldOf = (profile: Profile) => named.filter((name) => text(profile).includes(name));
    expect([
      toldOf(craft),
      toldOf({ ...craft, deny: ['todo_*', 'ask_user'] }),
      toldOf({ ...craft, readOnly: true }),
      toldOf(withToolProfile(craft, 'ds4')),
      toldOf(withToolProfile(craft, 'none')),
    ]).toEqual([named, ['edit_file'], ['todo_write', 'ask_user'], ['edit_file'], []]);
  });
});
