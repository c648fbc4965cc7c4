import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { diagnosticsTool } from '../../extensions/language/diagnostics-tool.ts';
import { getDiagnosticsTool } from '../../extensions/language/get-diagnostics-tool.ts';
import { createLanguageServers } from '../../extensions/language/language-servers.ts';
import { lookForLanguages } from '../../extensions/language/look-for-languages.ts';
import { lspTool } from '../../extensions/language/lsp-tool.ts';
import { presetFrom } from '../../permissions/policy/presets.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import { isInside } from '../../workspace/files/confine-path.ts';
import { createConfinedFiles } from '../../workspace/files/create-confined-files.ts';
import { createProgramRunner } from '../programs/program-runner.ts';
import { decideLanguages } from './decide-languages.ts';
import type { ExternalRun } from './external-run.ts';
import { givenTo } from './given-to.ts';

/** After so many seconds without a call a server is stopped. */
const idleSeconds = 300;
/** A server has so many seconds to come up. */
const startSeconds = 60;

/** The language servers of a run. Loading looks which there are; nothing is started before a call asks for it. */
export function languageSource(run: ExternalRun): ExternalSource {
  const { config, environment, root } = run;
  const folder = path.join(run.runFolder, 'language');
  const decided = decideLanguages({
    config,
    preset: presetFrom(run.preset ?? config.permissions?.preset ?? 'careful'),
    sandboxed: run.sandboxed,
    fork: run.plan?.checkout.fork ?? false,
    path: environment.PATH,
  });
  const problems = [...decided.problems];
  // What is not given keeps one server from the run, and is told when it is loaded.
  const given = new Map(
    decided.entries.map(
      ({ name }) => [name, givenTo(run, { name: `lsp:${name}`, by: 'repository' }, [])] as const,
    ),
  );
  const entries = decided.entries.filter(({ name }) => {
    const one = given.get(name);
    if (one === undefined || !('problem' in one)) return true;
    problems.push(`The language server ${name} ${one.problem}, so it does not start.`);
    return false;
  });
  let samples: readonly string[] = [];
  const servers = createLanguageServers({
    entries,
    places: { programFolders: decided.programFolders, checkout: decided.checkout },
    runnerFor(name, program) {
      mkdirSync(folder, { recursive: true });
      return createProgramRunner(run, folder, {
        name,
        shown: packagesOf(program, root, decided.programFolders),
      });
    },
    variablesFor(name) {
      const one = given.get(name);
      return one === undefined || 'problem' in one ? {} : one.variables;
    },
    sampleFiles: () => samples,
    idleMs: (config.lsp?.idleSeconds ?? idleSeconds) * 1_000,
    startMs: (config.lsp?.startSeconds ?? startSeconds) * 1_000,
    after(milliseconds, act) {
      const timer = setTimeout(act, milliseconds);
      // A run that has nothing else to do ends.
      timer.unref();
      return () => clearTimeout(timer);
    },
    tell: run.warn,
  });
  return {
    name: 'the language servers',
    async load(signal) {
      const found = await lookForLanguages(entries, {
        root,
        files: createConfinedFiles({ root, readOnlyRoots: [] }),
        programFolders: decided.programFolders,
        checkout: decided.checkout,
        setUp: run.prepared != null,
        signal,
      });
      samples = found.samples;
      const configured = Object.values(config.lsp?.servers ?? {}).some((one) => one !== false);
      const there = found.samples.length > 0 || (configured && entries.length > 0);
      const tools = there
        ? [lspTool(servers, found.names), getDiagnosticsTool(servers), diagnosticsTool(servers)]
        : [];
      return { tools, problems };
    },
    close: () => servers.close(),
  };
}

/**
 * The folder of packages that a program of npm lies in, which `node_modules/.bin` only has links to. None for one of the checkout, which is
 * shown anyway, for one in a system folder, and for one that is not on PATH: a repository's file may name any path of the machine.
 */
function packagesOf(program: string, root: string, programFolders: readonly string[]): readonly string[] {
  if (!programFolders.includes(path.dirname(program)) || !existsSync(program)) return [];
  const real = realpathSync(program);
  const packages = /^.*?\/node_modules(?=\/)/.exec(real)?.[0];
  return packages === undefined || isInside(root, real) || real.startsWith('/usr/') ? [] : [packages];
}
