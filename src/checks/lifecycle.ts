import type { Finding } from '../contract/findings.ts';
import { lifecycleScript } from '../workspace/changes/change-risk.ts';
import { type ChangedFile, firstAdded } from './changed-file.ts';
import { objectIn } from './read-manifests.ts';

interface RunsByItself {
  readonly files: RegExp;
  readonly severity: Finding['severity'];
  readonly when: string;
}

/** Files whose code runs without being started by name, and when. */
const runsByItself: readonly RunsByItself[] = [
  { files: /(?:^|\/)setup\.py$/, severity: 'medium', when: 'pip runs it to install the package' },
  { files: /(?:^|\/)build\.rs$/, severity: 'medium', when: 'cargo compiles and runs it with every build' },
  { files: /(?:^|\/)binding\.gyp$/, severity: 'medium', when: 'npm builds what it says on install' },
  { files: /(?:^|\/)extconf\.rb$/, severity: 'medium', when: 'RubyGems runs it on install' },
  { files: /(?:^|\/)\.pnpmfile\.c?js$/, severity: 'medium', when: 'pnpm runs it on install' },
  {
    files: /(?:^|\/)\.yarnrc(?:\.yml)?$/,
    severity: 'medium',
    when: 'it may name plugins and the very program that Yarn runs',
  },
  {
    files: /(?:^|\/)\.npmrc$/,
    severity: 'medium',
    when: 'it says from where npm installs and with which shell',
  },
  {
    files: /(?:^|\/)\.cargo\/config(?:\.toml)?$/,
    severity: 'medium',
    when: 'it may name programs that cargo runs',
  },
  { files: /(?:^|\/)conftest\.py$/, severity: 'low', when: 'pytest runs it before any test' },
  {
    files: /(?:^|\/)(?:\.husky|\.githooks)\/[^/]+$|(?:^|\/)lefthook\.ya?ml$/,
    severity: 'medium',
    when: 'git runs it as a hook',
  },
  {
    files: /(?:^|\/)\.pre-commit-config\.yaml$/,
    severity: 'low',
    when: 'pre-commit runs what it names with each commit',
  },
  { files: /(?:^|\/)\.envrc$/, severity: 'medium', when: 'direnv runs it when the folder is entered' },
  {
    files: /(?:^|\/)\.vscode\/(?:tasks|settings|launch)\.json$/,
    severity: 'low',
    when: 'the editor may run it when the folder is opened',
  },
  {
    files: /(?:^|\/)\.devcontainer(?:\.json$|\/)/,
    severity: 'low',
    when: 'it makes the machine that people work on',
  },
  {
    files: /(?:^|\/)gradle-wrapper\.(?:properties|jar)$|(?:^|\/)\.mvn\//,
    severity: 'medium',
    when: 'it says which program the build downloads and runs',
  },
  {
    files: /(?:^|\/)(?:GNUm|[Mm])akefile$|(?:^|\/)Rakefile$|(?:^|\/)CMakeLists\.txt$/,
    severity: 'info',
    when: 'the build runs it',
  },
];

/** Composer's own events, beside which a project's commands stand (Composer, "Scripts"). */
const composerEvent =
  /^(?:pre|post)-(?:install|update|autoload|package|root|create|status|archive|operations|pool|dependencies|file|command)/;

/** Changes to what package managers, build tools, hooks and editors run by themselves. */
export function findLifecycleChanges(file: ChangedFile): Finding[] {
  if (file.kind === 'delete' || file.after === null) return [];
  if (/(?:^|\/)package\.json$/.test(file.path))
    return scripts(file, (name) => lifecycleScript.test(name), 'npm');
  if (/(?:^|\/)composer\.json$/.test(file.path))
    return scripts(file, (name) => composerEvent.test(name), 'Composer');
  if (file.before === file.after && file.modes.before === file.modes.after) return [];
  const kind = runsByItself.find(({ files }) => files.test(file.path));
  if (kind === undefined) return [];
  const body = `This file ${file.before === null ? 'is new' : 'changed'}, and ${kind.when}.`;
  const { severity } = kind;
  return [finding(file, { line: firstAdded(file), severity, title: 'Code that runs by itself', body })];
}

function scripts(file: ChangedFile, isEvent: (name: string) => boolean, manager: string): Finding[] {
  const before = scriptsOf(file.before);
  return [...scriptsOf(file.after)].flatMap(([name, command]) => {
    if (!isEvent(name) || before.get(name) === command) return [];
    const was = before.get(name);
    const earlier = was === undefined ? '' : `\n\nIt was:\n\n${indented(was)}`;
    const body = `${manager} runs \`${name}\` by itself. It is now:\n\n${indented(command)}${earlier}`;
    const title = `The script ${name} ${was === undefined ? 'is new' : 'changed'}`;
    return [finding(file, { line: lineOf(file, name), severity: 'high', title, body })];
  });
}

function scriptsOf(text: string | null): Map<string, string> {
  try {
    const found = objectIn(text === null ? null : JSON.parse(text), 'scripts') ?? {};
    return new Map(
      Object.entries(found).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
  } catch {
    return new Map();
  }
}

/** The added line that has the key; else the first that was added. */
function lineOf(file: ChangedFile, key: string): number {
  const lines = (file.after ?? '').split('\n');
  const at = lines.findIndex(
    (text, index) => file.added.has(index + 1) && text.includes(JSON.stringify(key)),
  );
  return at === -1 ? firstAdded(file) : at + 1;
}

function indented(command: string): string {
  return command.slice(0, 1000).replace(/^/gm, '    ');
}

const finding = (
  { path }: ChangedFile,
  { line, severity, title, body }: Pick<Finding, 'line' | 'severity' | 'title' | 'body'>,
): Finding => ({
  ...{ path, side: 'RIGHT', line, severity, category: 'security', title, body },
  check: 'lifecycle',
});
