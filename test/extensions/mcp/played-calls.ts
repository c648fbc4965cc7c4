import { afterAll, beforeAll } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { openTools, type ToolHarness } from '../../tools/tool-harness.ts';
import { type Script, scripted } from './scripted-server.ts';

const signal = new AbortController().signal;

export const isCall = ({ method }: JsonObject) => method === 'tools/call';

/** What a call is told of a server that ended in it, and that it is started once more. */
export const again = 'Its effects until then may remain: check before you retry. The next call restarts it.';

/** `The MCP server …` as it is told of a call in which that happened. */
export const dying = (why: string): string => `During this call t${why.slice(1)}`;

/** Ways to call a played server, in a checkout that the tests of the file that calls this share. */
export interface PlayedCalls {
  readonly harness: () => ToolHarness;
  /** What a call says: its text, or the kind and the words of its error. */
  say(tools: readonly Tool[], name: string, input?: JsonObject): Promise<unknown>;
  /** Loads a played server and calls its tool so often. */
  play(
    script: Script,
    times: number,
    options?: Parameters<typeof scripted>[1],
  ): Promise<Readonly<Record<'said' | 'problems' | 'warnings' | 'changed', readonly unknown[]>>>;
}

export function playedCalls(): PlayedCalls {
  let harness: ToolHarness;
  beforeAll(async () => {
    harness = await openTools({ 'a.txt': 'one\n' }, { git: true });
  });
  afterAll(() => harness.close());
  const say: PlayedCalls['say'] = async (tools, name, input = {}) => {
    const found = tools.find((one) => one.name === `mcp__played__${name}`);
    if (found === undefined) return `no tool ${name}`;
    try {
      const { content } = await found.execute(found.input.parse(input), harness.context, undefined);
      return typeof content === 'string'
        ? content
        : content.map((part) => ('text' in part ? part.text : part.media_type));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return `${error.kind}: ${error.message}`;
    }
  };
  return {
    harness: () => harness,
    say,
    async play(script, times, options = {}) {
      const { source, warnings, changes } = scripted(script, options);
      try {
        const { tools, problems } = await source.load(signal);
        const said = [];
        for (let index = 0; index < times; index += 1) said.push(await say(tools, 'work'));
        return { said, problems, warnings, changed: changes.map((one) => one.tools.map(({ name }) => name)) };
      } finally {
        await source.close();
      }
    },
  };
}
