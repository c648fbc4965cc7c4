import { expect, test } from 'vitest';
import { readDeclaredMcpTool } from '../../../src/extensions/mcp/read-declared.ts';

const secret = 's3cret-value';

test("only the displayed part of a tool's text is searched for secrets, and none is displayed in part", () => {
  const read: number[] = [];
  const hide = (text: string) => {
    read.push(text.length);
    return text.replaceAll(secret, '[redacted]');
  };
  const long = 'x'.repeat(100_000);
  const upTo = (bound: number) => `${'x'.repeat(bound - 4)}${secret}${long}`;
  const declare = (name: string, description: string, inputSchema: object) => {
    const declared = readDeclaredMcpTool(
      'played',
      { name, description, inputSchema: { ...inputSchema } },
      hide,
    );
    const reply = 'problem' in declared ? declared.problem : declared.description;
    return reply.replaceAll(/x{20,}/g, 'x…');
  };
  expect([
    declare('work', upTo(4_000), {}),
    declare(upTo(80), 'Works.', { type: upTo(486) }),
    Math.max(...read) <= 4_000 + 16_384,
  ]).toEqual(['x…[r', 'declares a tool "x…[r" whose input schema is of type "x…[red', true]);
});
