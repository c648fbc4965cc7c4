import path from 'node:path';
import { defaultExternalTimeout } from '../../config/defaults.ts';
import type { Plugin } from '../../config/extension-settings.ts';
import { PluginFailure } from '../../extensions/plugin/line-connection.ts';
import { openPlugin } from '../../extensions/plugin/open-plugin.ts';
import type { PluginEnvironment } from '../../extensions/plugin/plugin-process.ts';
import { copyCode } from '../../extensions/protocol/copy-code.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import { createProgramRunner } from '../programs/program-runner.ts';
import { atHome, closedFolders, type ExternalRun, trustedTree } from './external-run.ts';
import { programEnvironment } from './program-environment.ts';

/** Creates a source for each configured plug-in. */
export function pluginSources(run: ExternalRun): readonly ExternalSource[] {
  const trusted = trustedTree(run, 'plugins');
  return Object.entries(run.config.plugins ?? {}).map(([name, plugin]) =>
    pluginSource(run, name, plugin, trusted),
  );
}

function pluginSource(
  run: ExternalRun,
  name: string,
  plugin: Plugin,
  trusted: ReturnType<typeof trustedTree>,
): ExternalSource {
  const holder = `plugin:${name}`;
  const hosts = run.config.network?.programs?.[holder] ?? [];
  const by = plugin.folder === undefined ? 'repository' : 'operator';
  const given = programEnvironment(run, { name: holder, by }, hosts);
  const variables = 'problem' in given ? {} : given.variables;
  const hide = createRedactor(Object.values(variables));
  // A read-only run has read-only plug-ins.
  const readOnly = run.sandboxed && (run.readOnly || plugin.readOnly === true);
  const timeoutSeconds = run.config.tools?.externalTimeout ?? defaultExternalTimeout;
  const folder = path.join(run.runFolder, 'plugins', name);
  let runner: CommandRunner | null = null;
  const environment = async (): Promise<PluginEnvironment> => {
    if ('problem' in given) throw new PluginFailure('over', given.problem);
    const { command, files = [] } = plugin;
    const code = await copyCode(
      {
        command: command.map((word) => atHome(word, run.environment.HOME)),
        files,
        folder: plugin.folder ?? null,
      },
      { target: folder, root: run.root, trusted, closed: closedFolders(run, plugin.folder) },
    );
    if ('problem' in code) throw new PluginFailure('over', code.problem);
    runner = await createProgramRunner(run, folder, {
      ...{ name: `plugin-${name}`, hosts, writes: !readOnly, shown: code.shown },
    });
    return {
      ...{ ...code, runner, variables, hide, readOnly },
      workspaceRoot: run.root,
      timeoutMs: timeoutSeconds * 1_000,
    };
  };
  return openPlugin({
    ...{ name, place: environment, readOnly, hide, timeoutSeconds, warn: run.warn },
    close: async () => runner?.close(),
  });
}
