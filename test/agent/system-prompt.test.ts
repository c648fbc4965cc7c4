import { describe, expect, it } from 'vitest';
import { findProfile } from '../../src/agent/profiles.ts';
import { systemPrompt } from '../../src/agent/system-prompt.ts';

const said = (preset: string, approvals: boolean, sandboxed: boolean, profile = 'craft') => {
  const text = systemPrompt(findProfile(profile), preset, { approvals, sandboxed });
  return {
    strict: text.includes('This run is strict'),
    proposes: text.includes('kept in the report as a proposal'),
    waits: text.includes("needs a person's approval ends this run"),
    unconfined: text.includes('There is no sandbox here'),
  };
};

describe('the system prompt', () => {
  it('says what a run may do by itself, by preset, sandbox, and whether a person can be asked', () => {
    expect({
      careful: said('careful', false, true),
      'careful, asking': said('careful', true, true),
      'careful, no sandbox': said('careful', false, false),
      unrestricted: said('unrestricted', false, false),
      strict: said('strict', false, true),
      'strict, asking': said('strict', true, true),
    }).toEqual({
      careful: { strict: false, proposes: false, waits: false, unconfined: false },
      'careful, asking': { strict: false, proposes: false, waits: true, unconfined: false },
      'careful, no sandbox': { strict: false, proposes: false, waits: false, unconfined: true },
      unrestricted: { strict: false, proposes: false, waits: false, unconfined: false },
      strict: { strict: true, proposes: true, waits: false, unconfined: false },
      'strict, asking': { strict: true, proposes: false, waits: true, unconfined: false },
    });
  });

  it('of a profile that only reads says nothing of presets', () => {
    const text = (preset: string) =>
      systemPrompt(findProfile('review'), preset, { approvals: true, sandboxed: false });
    expect(text('strict')).toBe(text('careful'));
  });
});
