import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boundOutput } from '../../../src/agent/calls/call-result.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-bound-'));
});
afterEach(() => rm(folder, { recursive: true }));

const options = (redact = (text: string) => text) => ({ folder, callId: 'call/1', redact });

describe('bounding a result for the model', () => {
  it('leaves a small result unchanged, but redacted', async () => {
    const bounded = await boundOutput(
      { content: 'the key is 12345678' },
      options((text) => text.replace('12345678', '[redacted]')),
    );
    const text = 'the key is [redacted]';
    expect(bounded).toEqual({ parts: [{ type: 'text', text }], text, spill: null });
  });

  it('stores a large result in a file and displays its head, its tail and the path', async () => {
    const content = `first\n${'é\n'.repeat(60_000)}last`;
    const bounded = await boundOutput({ content }, options());
    const file = path.join(folder, 'call_1.txt');
    expect(bounded.spill).toBe(file);
    expect(await readFile(file, 'utf8')).toBe(content);
    expect(Buffer.byteLength(bounded.text)).toBeLessThanOrEqual(50 * 1024 + 200);
    expect(bounded.text.startsWith('first\né\n')).toBe(true);
    expect(bounded.text.endsWith('é\nlast')).toBe(true);
    expect(bounded.text).toContain(`the whole output is in ${file}`);
    expect(bounded.text).not.toContain('�');
  });

  it('keeps images with the text', async () => {
    const image = { type: 'image' as const, media_type: 'image/png' as const, data: 'AAAA' };
    const bounded = await boundOutput({ content: [{ type: 'text', text: 'a picture' }, image] }, options());
    expect(bounded.parts).toEqual([{ type: 'text', text: 'a picture\n[image]' }, image]);
  });
});
