import { expect, it } from 'vitest';
import { limitsOf, presetOf, sandboxOf, triggerDefaults } from '../../src/config/defaults.ts';
import { mergeConfig } from '../../src/config/merge-config.ts';

it('lets the stronger file take precedence key by key, and for a list as a whole', () => {
  const branch = { model: 'a/b', tools: { disabled: ['bash'] }, limits: { maxTurns: 3 } };
  const organisation = {
    model: 'c/d',
    tools: { disabled: ['grep', 'glob'] },
    limits: { maxTurns: 9, maxCostUsd: 2 },
  };
  const user = { profile: 'craft', limits: { timeoutSeconds: 60 } };
  expect(mergeConfig(branch, organisation, user)).toEqual({
    model: 'a/b',
    profile: 'craft',
    tools: { disabled: ['bash'] },
    limits: { maxTurns: 3, maxCostUsd: 2, timeoutSeconds: 60 },
  });
  expect(organisation.limits).toEqual({ maxTurns: 9, maxCostUsd: 2 });
});

it('treats an unknown preset as the strictest', () => {
  const presets = [undefined, 'yolo', 'unrestricted', 'careful', 'carefull'].map((preset) =>
    presetOf(preset === undefined ? {} : { permissions: { preset } }),
  );
  expect(presets).toEqual(['careful', 'unrestricted', 'unrestricted', 'careful', 'strict']);
});

it('never lets a file loosen the sandbox that the operator requires', () => {
  const modes = ['off', 'preferred', 'required'] as const;
  expect(
    [...modes, null].map((operator) => [
      sandboxOf({}, operator),
      ...modes.map((sandbox) => sandboxOf({ sandbox }, operator)),
    ]),
  ).toEqual([
    ['off', 'off', 'preferred', 'required'],
    ['preferred', 'preferred', 'preferred', 'required'],
    ['required', 'required', 'required', 'required'],
    ['preferred', 'off', 'preferred', 'required'],
  ]);
});

it('fills in the trigger words and the limits', () => {
  expect([triggerDefaults({ triggers: { mention: 'bot' } }), limitsOf({ limits: { maxTurns: 4 } })]).toEqual([
    {
      mention: 'bot',
      allowBots: [],
      label: 'bot:implement',
      labels: { 'bot:implement': 'implement' },
      accounts: [],
    },
    { max_turns: 4, max_tool_calls: null, max_tokens: null, max_cost_usd: null, timeout_seconds: 1800 },
  ]);
});

it('combines hooks, so no file drops those of a weaker one', () => {
  const hook = (run: string) => ({ tool: '*', run });
  expect(
    mergeConfig(
      { hooks: { before: [], after: [hook('own')] } },
      {},
      { hooks: { before: [hook('organisation')] } },
      { hooks: { before: [hook('operator')] } },
    ),
  ).toEqual({ hooks: { before: [hook('operator'), hook('organisation')], after: [hook('own')] } });
});

it("replaces named entries whole, so no file combines its own with another's headers or folder", () => {
  const strong = {
    plugins: { db: { command: ['./db'] } },
    a2a: { agents: { docs: { url: 'https://a.example.com' } } },
    mcp: { servers: { s: { url: 'https://a.example.com' } } },
  };
  const own = { plugins: { more: { command: ['more'] } }, a2a: { allow: ['b.example.com'] } };
  const operator = {
    plugins: { db: { command: ['/srv/db/db'], readOnly: true, folder: '/srv' }, ...own.plugins },
    a2a: {
      agents: { docs: { url: 'https://b.example.com', headers: { 'X-Key': '{env:KEY}' } } },
      ...own.a2a,
    },
    mcp: { servers: { s: { url: 'https://b.example.com', headers: { 'X-Key': '{env:KEY}' } } } },
  };
  expect(mergeConfig(strong, operator)).toEqual({
    plugins: { ...strong.plugins, ...own.plugins },
    a2a: { ...strong.a2a, ...own.a2a },
    mcp: strong.mcp,
  });
});
