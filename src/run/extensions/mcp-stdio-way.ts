import path from 'node:path';
import type { StdioServerSettings } from '../../config/mcp-settings.ts';
import { codeFromCheckout, keepServer } from '../../extensions/mcp/keep-server.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { quotedWord } from '../../sandbox/quoted-word.ts';
import { createProgramRunner } from '../programs/program-runner.ts';
import type { ExternalRun } from './external-run.ts';
import type { Given } from './given-to.ts';
import { expandFor, type NamedServer, type ServerWay } from './named-server.ts';
import { atHome, closedFolders } from './operator-folders.ts';

/** The way to a server that is a program, in a sandbox of its own. `hide` takes out what it is given. Nothing is kept or started before it is opened. */
export function mcpStdioWay(
  run: ExternalRun,
  named: NamedServer<StdioServerSettings>,
  given: Given & { readonly hide: (text: string) => string },
  sandbox: { readonly hosts: readonly string[]; readonly writes: boolean },
): ServerWay {
  const { name, settings } = named;
  const target = path.join(run.runFolder, 'mcp', name);
  let ready: Promise<{
    readonly runner: CommandRunner;
    readonly words: readonly string[];
    readonly cwd: string;
  }> | null = null;
  const prepare = async () => {
    const said = Object.fromEntries([settings.command, ...(settings.args ?? [])].entries());
    const words = Object.values(expandFor(run, named, given, ['word', said])).map((word) =>
      named.by === 'operator' ? atHome(word, run.environment.HOME) : word,
    );
    const [command = '', ...args] = words;
    const kept = await keepServer(
      { command, args, folder: named.folder },
      { target, root: run.root, trusted: named.trusted, closed: closedFolders(run) },
    );
    if ('problem' in kept) throw new Error(kept.problem);
    const own = expandFor(run, named, given, ['variable', settings.env ?? {}]);
    const code = kept.fromCheckout ?? codeFromCheckout(run.root, words, own);
    if (given.apart && code !== null)
      throw new Error(
        `is not started: ${code} is code of the checkout, which a pull request can change, and it would be given ${[...Object.keys(given.variables), ...sandbox.hosts].join(', ')}`,
      );
    const runner = await createProgramRunner(run, target, {
      ...{ name: `mcp-${name}`, shown: kept.shown, ...sandbox },
    });
    // Package runners look for programs where they are started: what is given anything must not find the checkout's.
    return { runner, words: kept.words, cwd: given.apart ? kept.folder : run.root };
  };
  return {
    async open() {
      ready ??= prepare();
      const { runner, words, cwd } = await ready;
      const own = expandFor(run, named, given, ['variable', settings.env ?? {}]);
      const env = { ...given.variables, ...own, AGENT: 'anode' };
      const { openProcessTransport } = await import('../../extensions/mcp/stdio-transport.ts');
      return openProcessTransport(
        (handlers) =>
          runner.open({ ...handlers, command: `exec ${words.map(quotedWord).join(' ')}`, cwd, env }),
        given.hide,
      );
    },
    async release() {
      const made = await ready?.catch(() => null);
      await made?.runner.close();
    },
  };
}
