import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import { isAdvertised, selectTools } from '../../../src/agent/profiles/select-tools.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import {
  acceptedSchema,
  shortToolDefinition,
  toolDefinition,
} from '../../../src/tools/registry/json-schema.ts';
import { shellSession } from '../../../src/tools/shell/shell-session.ts';
import { defineTool } from '../../../src/tools/tool.ts';

test('a tool definition has the wire name and nothing that a model does not need', () => {
  const tool = defineTool({
    name: 'workspace.example',
    description: 'Example.',
    input: z.object({
      path: z.string().min(1).describe('where'),
      count: z.int().positive().max(9).default(3),
      mode: z.enum(['a', 'b']).optional(),
      list: z.array(z.object({ default: z.string(), minimum: z.number().optional() })).optional(),
      secret: z.string().optional().meta({ hidden: true }),
    }),
    level: 'auto_read',
    readOnly: true,
    targets: () => ({ what: '' }),
    execute: async () => ({ content: '' }),
  });
  expect(toolDefinition(tool)).toEqual({
    name: 'workspace_example',
    description: 'Example.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'where' },
        count: { type: 'integer' },
        mode: { type: 'string', enum: ['a', 'b'] },
        list: {
          type: 'array',
          items: {
            type: 'object',
            properties: { default: { type: 'string' }, minimum: { type: 'number' } },
            required: ['default'],
          },
        },
      },
      required: ['path'],
    },
  });
});

/** A tool that does nothing but be told of. */
const toldOf = (input: z.ZodType, more: object = {}) =>
  defineTool({
    ...{ name: 'a.b', description: 'Does it. More words.', level: 'auto_read', readOnly: true, input },
    ...{ targets: () => ({ what: '' }), execute: async () => ({ content: '' }), ...more },
  });

test('tool definitions omit bounds and fields that are only accepted as aliases', () => {
  const input = z.object({
    text: z.string().min(2).max(5).default('x'),
    more: z.number().min(1).max(2),
    less: z.number().gt(1).lt(9),
    list: z.array(z.boolean()).min(1).max(2),
    within: z
      .object({ secret: z.string().optional().meta({ hidden: true }), yes: z.literal(true) })
      .optional(),
    secret: z.string().optional().meta({ hidden: true }),
  });
  const properties = {
    text: { type: 'string', maxLength: 5 },
    more: { type: 'number' },
    less: { type: 'number', exclusiveMaximum: 9 },
    list: { type: 'array', items: { type: 'boolean' } },
  };
  const within = { type: 'object', properties: { yes: { type: 'boolean', const: true } }, required: ['yes'] };
  const whole = { type: 'object', required: ['more', 'less', 'list'] };
  const secret = { type: 'string' };
  expect([toolDefinition(toldOf(input)).input_schema, acceptedSchema(toldOf(input))]).toEqual([
    { ...whole, properties: { ...properties, within } },
    {
      ...whole,
      properties: {
        ...properties,
        within: { ...within, properties: { secret, ...within.properties } },
        secret,
      },
    },
  ]);
});

test('a schema from elsewhere stays unchanged', () => {
  const schema = { type: 'object', minimum: 1, description: 'Theirs.' };
  const tool = toldOf(z.object({}), { schema });
  expect([toolDefinition(tool).input_schema, acceptedSchema(tool)]).toEqual([schema, schema]);
});

test('a schema that cannot be inlined keeps its definition', () => {
  interface Tree {
    readonly below?: readonly Tree[] | undefined;
  }
  const tree: z.ZodType<Tree> = z.lazy(() => z.object({ below: z.array(tree).optional() }));
  const schema = toolDefinition(toldOf(z.object({ tree }))).input_schema;
  expect([Object.keys(schema).includes('$defs'), JSON.stringify(schema).includes('$ref')]).toEqual([
    true,
    true,
  ]);
  const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
  type Part = z.infer<typeof scalar> | Part[];
  const part: z.ZodType<Part> = z.lazy(() => z.union([scalar, z.array(part)]));
  expect(Object.keys(toolDefinition(toldOf(z.object({ part, any: z.json() }))).input_schema)).toContain(
    '$defs',
  );
});

test.each([
  ['Does it. More words.', 'Does it.'],
  ['Does it; more words.', 'Does it.'],
  ['Reads a.ts, 1.5 of it.\nMore.', 'Reads a.ts, 1.5 of it.'],
  ['Does\nit. More.', 'Does\nit.'],
  ['No end', 'No end'],
  ['One.', 'One.'],
])('the short form of %j is %j, with a schema without descriptions', (description, first) => {
  const input = z.object({
    description: z.string().describe('that is shown'),
    list: z.array(z.object({ a: z.string().describe('of each') })).describe('of all'),
    either: z.union([z.string().describe('one'), z.number()]).describe('any'),
  });
  expect(shortToolDefinition(toldOf(input, { description }))).toEqual({
    name: 'a_b',
    description: first,
    input_schema: {
      type: 'object',
      properties: {
        description: { type: 'string' },
        list: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
      required: ['description', 'list', 'either'],
    },
  });
});

const profileNames = ['craft', 'study', 'review', 'ask', 'plan', 'describe', 'triage'];
const adverts = builtinTools.filter((tool) => tool.exposure === undefined).map(toolDefinition);

test.each(profileNames)('all tool definitions in a request of %s fit into 6,000 bytes', (name) => {
  const tools = selectTools(builtinTools, findProfile(name), []);
  const reported = tools.filter((tool) => isAdvertised(tool, tools));
  expect(reported.length).toBeGreaterThan(5);
  expect(Buffer.byteLength(JSON.stringify(reported.map(toolDefinition)))).toBeLessThanOrEqual(6000);
});

test('a field for any JSON has no type and no definition of JSON', () => {
  const tool = defineTool({
    ...{ name: 'any.thing', description: 'Take it.', level: 'auto_read', readOnly: true },
    input: z.object({
      one: z.json().describe('a fact'),
      many: z.array(z.json()),
      by: z.record(z.string(), z.json()),
    }),
    targets: () => ({ what: '' }),
    execute: async () => ({ content: '' }),
  });
  expect(toolDefinition(tool).input_schema).toEqual({
    type: 'object',
    properties: {
      one: { description: 'a fact' },
      many: { type: 'array', items: {} },
      by: { type: 'object', propertyNames: { type: 'string' } },
    },
    required: ['one', 'many', 'by'],
  });
});

test('every tool definition is a JSON Schema of an object under a name that providers accept', () => {
  const ajv = new Ajv2020({ strict: true });
  for (const advert of adverts) ajv.compile(advert.input_schema);
  expect(adverts.filter(({ name }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
  expect(adverts.filter(({ input_schema }) => input_schema.type !== 'object')).toEqual([]);
});

test('every name and alias belongs to one tool', () => {
  const names = builtinTools.flatMap((tool) => [tool.name, ...Object.keys(tool.aliases ?? {})]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('only lists, proposals and its own files are state of the run itself', () => {
  expect(builtinTools.filter((tool) => tool.ownState === true).map((tool) => tool.name)).toEqual([
    'todo_write',
    'report_findings',
    'describe_pull_request',
    'set_labels',
    'shell_session',
    'workspace.write_file',
    'workspace.apply_patch',
    'workspace.commit',
    'workspace.finish',
    'task.return',
    'close_agent',
    'send_message',
    'compact',
  ]);
});

test('every tool has its documented permission level', () => {
  expect(Object.fromEntries(builtinTools.map(({ name, level }) => [name, level]))).toEqual({
    read: 'auto_read',
    multi_read: 'auto_read',
    glob: 'auto_read',
    grep: 'auto_read',
    code_search: 'auto_read',
    finder: 'auto_read',
    list_directory: 'auto_read',
    repo_search: 'auto_read',
    bash: 'confirm_execute',
    edit_file: 'confirm_write',
    multi_edit: 'confirm_write',
    insert_text: 'confirm_write',
    create_file: 'confirm_write',
    apply_patch: 'confirm_write',
    patch: 'confirm_write',
    todo_read: 'auto_read',
    todo_write: 'state_write',
    ask_user: 'interactive',
    request_permissions: 'interactive',
    handoff: 'delegated',
    task: 'delegated',
    oracle: 'external_read',
    code_review: 'external_read',
    report_findings: 'state_write',
    describe_pull_request: 'state_write',
    set_labels: 'state_write',
    view_image: 'auto_read',
    look_at: 'auto_read',
    'workspace.list_files': 'auto_read',
    'workspace.search_files': 'auto_read',
    'workspace.read_file': 'auto_read',
    'workspace.write_file': 'state_write',
    'workspace.apply_patch': 'state_write',
    'workspace.commit': 'state_write',
    'workspace.finish': 'state_write',
    task_list: expect.any(Function),
    'dice.roll': 'auto_read',
    render: 'auto_read',
    chart: 'auto_read',
    shell_session: expect.any(Function),
    init_experiment: 'confirm_write',
    run_experiment: 'confirm_execute',
    log_experiment: 'confirm_write',
    find_thread: 'auto_read',
    read_thread: 'auto_read',
    'chat.search': 'auto_read',
    'chat.read_messages': 'auto_read',
    'agent.list': 'auto_read',
    'agent.delegate': 'delegated',
    'agent.await': 'auto_read',
    'task.return': 'state_write',
    sub_agent: 'delegated',
    task_coordinator: 'delegated',
    spawn_agent: 'delegated',
    send_input: 'delegated',
    wait_agent: 'auto_read',
    list_agents: 'auto_read',
    close_agent: 'state_write',
    send_message: 'state_write',
    receive_messages: 'auto_read',
    list_skills: 'auto_read',
    skill: 'delegated',
    read_skill: 'auto_read',
    create_skill: 'confirm_write',
    'skill.list': 'auto_read',
    'skill.search': 'auto_read',
    'skill.read': 'auto_read',
    'worldinfo.read_activated': 'auto_read',
    compact: 'state_write',
    get_context_remaining: 'auto_read',
    batch: 'auto_read',
    tool_search: 'auto_read',
    use_tool: 'auto_read',
    PATCH: 'interactive',
  });
});

test('a session has the level of its action', () => {
  const { level, input } = shellSession;
  const levels = ['open', 'write', 'poll', 'list', 'kill'].map((action) =>
    typeof level === 'function' ? level(input.parse({ action })) : level,
  );
  expect(levels).toEqual(['confirm_execute', 'confirm_execute', 'auto_read', 'auto_read', 'state_write']);
});
