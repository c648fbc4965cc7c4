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
  it('takes an object as it is and fills in defaults', () => {
    expect(parse({ path: 'a', content: 'b' })).toEqual({ path: 'a', content: 'b', overwrite: false });
  });

  it('takes no argument for an alias that only has the name of what every object has', () => {
    const raw = JSON.parse('{"path": "a", "content": "", "toString": 1, "__proto__": {"path": "b"}}');
    expect(parseToolInput({ tool, fixed: {} }, raw)).toEqual({
      input: { path: 'a', content: '', overwrite: false },
      ignored: ['toString'],
      undeclared: [],
    });
  });

  it('renames argument aliases, and lets the proper name win over one', () => {
    expect(parse({ file_path: 'a', content: '' })).toEqual({ path: 'a', content: '', overwrite: false });
    expect(parse({ file_path: 'x', path: 'a', content: '' })).toEqual({
      path: 'a',
      content: '',
      overwrite: false,
    });
  });

  it('names what was given where something is missing', () => {
    expect(problem({ path: 'a', body: 'b' })).toEqual({
      kind: 'invalid_input',
      message:
        'Wrong arguments for create_file: content is missing (given: path, body). Call it again, corrected.',
    });
  });

  it('adds what an alias of the tool fixes', () => {
    expect(parse({ path: 'a', content: '' }, { overwrite: true })).toEqual({
      path: 'a',
      content: '',
      overwrite: true,
    });
  });

  it('leaves out what the tool does not have, and tells it', () => {
    expect(parseToolInput({ tool, fixed: {} }, { path: 'a', content: '', mode: 'x' })).toEqual({
      input: { path: 'a', content: '', overwrite: false },
      ignored: ['mode'],
      undeclared: [],
    });
  });

  it('says of valid JSON that is no object what it is', () => {
    expect(problem('"ls"')).toEqual({
      kind: 'invalid_input',
      message: 'create_file takes a JSON object of arguments, not a string.',
    });
  });

  it('repairs JSON that has one reading', () => {
    expect(parse(`{path: 'a', "content": "b",}`)).toEqual({ path: 'a', content: 'b', overwrite: false });
  });

  it('refuses JSON that was cut off instead of guessing its end', () => {
    expect(problem('{"path": "a", "content": "rm -rf /tmp/x')).toEqual({
      kind: 'invalid_input',
      message:
        'The arguments of create_file are not valid JSON (a string in them does not end) and were not run. Send one complete JSON object.',
    });
  });

  it('never runs a broken call as an empty one', () => {
    expect(problem('')).toEqual({
      kind: 'invalid_input',
      message:
        'Wrong arguments for create_file: path is missing; content is missing. Call it again, corrected.',
    });
  });

  it('names what came instead of an object', () => {
    expect(problem(['a'])).toEqual({
      kind: 'invalid_input',
      message: 'create_file takes a JSON object of arguments, not an array.',
    });
  });

  describe('of a tool that others bring', () => {
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

    it('understands a number, a list or a yes that came as text, a text that came as a number, and null as nothing', () => {
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

    it('passes on what the schema does not name, unless it shuts that out', () => {
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
