import { expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { askTsserver } from '../../../src/extensions/language/read-diagnostics.ts';

const requested = { signal: new AbortController().signal, timeoutMs: 5 };

/** The questions that are asked of a server that answers each with the next body, and what is made of the answers. */
async function ask(...bodies: readonly Json[]) {
  const requests: unknown[] = [];
  const request = async (method: string, params: Json, limits: unknown) => {
    requests.push([method, params, limits]);
    return bodies[requests.length - 1] ?? null;
  };
  const document = { uri: 'file:///w/my%20a.ts' };
  return { requests, said: await askTsserver(document as never, { request } as never, requested) };
}

const span = { start: { line: 1, offset: 3 }, end: { line: 0, offset: 0 } };
const range = { start: { line: 0, character: 2 }, end: { line: 0, character: 0 } };
const reported = { range, code: null, source: 'ts', related: [] };

test('syntax errors are requested first, then type errors, with lines from 1', async () => {
  const syntax = [{ ...span, text: 'no', category: 'error', code: 1005 }];
  const types = [
    { ...span, text: 'odd', category: 'warning' },
    { ...span, text: 'by the way', category: 'message' },
    { ...span, text: 'better', category: 'suggestion', code: '7' },
    { ...span, text: 'unknown', category: 'other' },
  ];
  expect(await ask({ body: syntax }, { body: types })).toEqual({
    requests: ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'].map((kind) => [
      'workspace/executeCommand',
      { command: 'typescript.tsserverRequest', arguments: [kind, { file: '/w/my a.ts' }] },
      requested,
    ]),
    said: {
      diagnostics: [
        { ...reported, severity: 'error', message: 'no', code: '1005' },
        { ...reported, severity: 'warning', message: 'odd' },
        { ...reported, severity: 'info', message: 'by the way' },
        { ...reported, severity: 'hint', message: 'better' },
        { ...reported, severity: 'error', message: 'unknown' },
      ],
      leftOut: 0,
    },
  });
});

test('invalid diagnostics are dropped, and those over a thousand counted', async () => {
  const one = { ...span, text: 'no', category: 'error' };
  const wrong = [
    { ...span, category: 'error' },
    { text: 'no', start: span.start },
    { text: 'no', end: span.end },
    { ...one, start: { line: '1', offset: 1 } },
    { ...one, end: { line: 1 } },
    'text',
  ];
  const many = Array.from({ length: 1_002 }, () => one);
  const { said } = await ask({ body: [...wrong, one] }, { body: many });
  expect([said.diagnostics.length, said.leftOut]).toEqual([1_001, 2]);
  expect((await ask('nothing', { body: 'none' })).said).toEqual({ diagnostics: [], leftOut: 0 });
});
