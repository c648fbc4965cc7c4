import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseToolInput } from '../../../src/agent/calls/parse-tool-input.ts';
import { ToolError } from '../../../src/contract/errors.ts';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { externalSchema } from '../../../src/extensions/protocol/input-schema.ts';
import { defineTool } from '../../../src/tools/tool.ts';

const tool = defineTool({
  name: 'create_file',
  aliases: { write_file: { overwrite: true } },
  argumentAliases: { file_path: 'path' },
  description: 'Makes a file.',
  input: z.object({ path: z.string(), content: z.string(), overwrite: z.boolean().default(false) }),
  level: 'confirm_write',
  readOnly: false,
  targets: (input) => ({ what: input.path }),
  execute: async () => ({ content: '' }),
});

const parse = (raw: Json, fixed: Record<string, Json> = {}) => parseToolInput({ tool, fixed }, raw).input;
const problem = (raw: Json): { kind: string; message: string } => {
  try {
    parse(raw);
  } catch (error) {
    if (error instanceof ToolError) return { kind: error.kind, message: error.message };
    throw error;
  }
  throw new Error('the input was taken');
};

describe('parsing the arguments of a call', () => {
  it('accepts a valid object and fills in defaults', () => {
    expect(parse({ path: 'a', content: 'b' })).toEqual({ path: 'a', content: 'b', overwrite: false });
  });

  it('ignores an alias with the name of a property that every object has', () => {
    const raw = JSON.parse('{"path": "a", "content": "", "toString": 1, "__proto__": {"path": "b"}}');
    expect(parseToolInput({ tool, fixed: {} }, raw)).toEqual({
      input: { path: 'a', content: '', overwrite: false },
      ignored: ['toString'],
      undeclared: [],
    });
  });

  it('renames argument aliases, and the proper name takes precedence', () => {
    expect(parse({ file_path: 'a', content: '' })).toEqual({ path: 'a', content: '', overwrite: false });
    expect(parse({ file_path: 'x', path: 'a', content: '' })).toEqual({
      path: 'a',
      content: '',
      overwrite: false,
    });
  });

  it('names the given arguments if one is missing', () => {
    expect(problem({ path: 'a', body: 'b' })).toEqual({
      kind: 'invalid_input',
      message:
        'Wrong arguments for create_file: content is missing (given: path, body). Call it again, corrected.',
    });
  });

  it('adds the fixed arguments of a tool alias', () => {
    expect(parse({ path: 'a', content: '' }, { overwrite: true })).toEqual({
      path: 'a',
      content: '',
      overwrite: true,
    });
  });

  it('drops unknown arguments and reports them', () => {
    expect(parseToolInput({ tool, fixed: {} }, { path: 'a', content: '', mode: 'x' })).toEqual({
      input: { path: 'a', content: '', overwrite: false },
      ignored: ['mode'],
      undeclared: [],
    });
  });

  it('names the type of valid JSON that is no object', () => {
    expect(problem('"ls"')).toEqual({
      kind: 'invalid_input',
      message: 'create_file takes a JSON object of arguments, not a string.',
    });
  });

  it('repairs JSON with a single reading', () => {
    expect(parse(`{path: 'a', "content": "b",}`)).toEqual({ path: 'a', content: 'b', overwrite: false });
  });

  it('refuses truncated JSON instead of guessing its end', () => {
    expect(problem('{"path": "a", "content": "rm -rf /tmp/x')).toEqual({
      kind: 'invalid_input',
      message:
        'The arguments of create_file are not valid JSON (a string in them does not end) and were not run. Send one complete JSON object.',
    });
  });

  it('never runs a broken call with empty arguments', () => {
    expect(problem('')).toEqual({
      kind: 'invalid_input',
      message:
        'Wrong arguments for create_file: path is missing; content is missing. Call it again, corrected.',
    });
  });

  it('names the received type instead of an object', () => {
    expect(problem(['a'])).toEqual({
      kind: 'invalid_input',
      message: 'create_file takes a JSON object of arguments, not an array.',
    });
  });

  describe('of an extension tool', () => {
    const read = (schema: JsonObject, raw: Json) => {
      const made = externalSchema(schema);
      if ('problem' in made) throw new Error(made.problem);
      try {
        return parseToolInput({ tool: { ...tool, input: made.input, schema: made.shown }, fixed: {} }, raw);
      } catch (error) {
        if (error instanceof ToolError) return error.message;
        throw error;
      }
    };
    const properties = { n: { type: 'number' }, list: { type: 'array' }, all: { type: 'boolean' } };

    it('converts a number, list or boolean given as text, a text given as a number, and null to nothing', () => {
      const raw = { n: '20', list: '["a"]', all: 'true', path: '1', id: 7 };
      expect([
        read({ properties: { ...properties, path: { type: 'string' }, id: { type: 'string' } } }, raw),
        read({ properties }, { n: null, list: [1], all: null }),
        read({ properties, required: ['n'] }, { n: null }),
        read({ properties }, { n: 'twenty' }),
      ]).toEqual([
        { input: { n: 20, list: ['a'], all: true, path: '1', id: '7' }, ignored: [], undeclared: [] },
        { input: { list: [1] }, ignored: [], undeclared: [] },
        'Wrong arguments for create_file: n: must be a number, not null. Call it again, corrected.',
        'Wrong arguments for create_file: n: must be a number, not "twenty". Call it again, corrected.',
      ]);
    });

    it('passes on arguments outside the schema, unless the schema forbids them', () => {
      expect([
        read({ properties }, { n: 1, colour: 'red' }),
        read({ type: 'object' }, { colour: 'red' }),
        read({ properties, additionalProperties: false }, { colour: 'red', size: 2 }),
      ]).toEqual([
        { input: { n: 1, colour: 'red' }, ignored: [], undeclared: ['colour'] },
        { input: { colour: 'red' }, ignored: [], undeclared: [] },
        'Wrong arguments for create_file: there is no colour, size (there is: n, list, all). Call it again, corrected.',
      ]);
    });
  });
});
