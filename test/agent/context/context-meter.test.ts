import { describe, expect, it } from 'vitest';
import { contextBudget, newContextMeter } from '../../../src/agent/context/context-size.ts';
import { contextBounds } from '../../../src/config/defaults.ts';
import type { Message } from '../../../src/contract/message.ts';
import type { Usage } from '../../../src/contract/usage.ts';

const reply = (role: Message['role'], characters: number): Message => ({
  role,
  parts: [{ type: 'text', text: 'x'.repeat(characters) }],
});
const counted = (input: number, output: number): Usage => ({
  ...{ input, output, cache_read: 0, cache_write: 0 },
});

describe('the tokens of a conversation', () => {
  it("are estimated before the provider's first count, and later corrected by the estimate's error", () => {
    const meter = newContextMeter(100);
    meter.add(reply('user', 3_600));
    const tokens = [meter.tokens()];
    // The estimate was 1,000: half of what it is.
    meter.count({ input: 500, cache_read: 1_400, cache_write: 100, output: 50 });
    tokens.push(meter.tokens());
    meter.add(reply('assistant', 200));
    tokens.push(meter.tokens());
    meter.add(reply('user', 400));
    tokens.push(meter.tokens(), meter.estimated(2_000));
    meter.replace([reply('user', 400)]);
    tokens.push(meter.tokens());
    expect(tokens).toEqual([1_000, 2_050, 2_050, 2_250, 1_000, 400]);
  });

  it.each([
    ['counts nothing', counted(0, 0)],
    ['counts a few', counted(10, 5)],
    ['counts what cannot be', counted(9_000_000, 5)],
  ])('are estimated if a server %s', (_, usage) => {
    const meter = newContextMeter(0);
    meter.add(reply('user', 4_000));
    meter.count(usage);
    meter.add(reply('assistant', 400));
    expect(meter.tokens()).toBe(1_100);
  });

  it('include the reply even if its server counts requests only', () => {
    const meter = newContextMeter(0);
    meter.add(reply('user', 4_000));
    meter.count(counted(1_000, 0));
    meter.add(reply('assistant', 400));
    expect(meter.tokens()).toBe(1_100);
  });

  it('are denser for text outside Latin script, and include images', () => {
    const meter = newContextMeter(0);
    meter.add({ role: 'user', parts: [{ type: 'text', text: '日'.repeat(400) }] });
    expect([meter.tokens(), meter.images()]).toEqual([300, 0]);
    meter.add({ role: 'user', parts: [{ type: 'image', media_type: 'image/png', data: 'AAAA' }] });
    expect([meter.tokens(), meter.images()]).toEqual([1_900, 1]);
  });
});

describe('the budget in a window', () => {
  const budget = (window: number, settings: Parameters<typeof contextBounds>[0]) =>
    contextBudget(window, contextBounds(settings));

  it('is 85 % of it with 20,000 recent tokens, and less in a small window', () => {
    expect([budget(200_000, {}), budget(10_000, {})]).toEqual([
      { window: 200_000, full: 170_000, target: 140_000, recent: 20_000 },
      { window: 10_000, full: 8_500, target: 7_000, recent: 3_400 },
    ]);
  });

  it('is the window less the reserve with -1, and half of it at least', () => {
    const legacy = { compactPercent: -1 };
    expect([budget(200_000, legacy).full, budget(8_000, legacy).full]).toEqual([183_616, 4_000]);
    expect(budget(200_000, { ...legacy, reserveTokens: 0 }).full).toBe(200_000);
  });
});
