import type { Finding } from '../contract/findings.ts';
import { lifecycleScript } from '../workspace/changes/change-risk.ts';
import { type ChangedFile, firstAdded } from './changed-file.ts';
import { objectIn } from './read-manifests.ts';

/** Files whose code runs without being started by name, and when. */
const runsByItself: readonly (readonly [files: RegExp, severity: Finding['severity'], when: string])[] = [
  [/(?:^|\/)setup\.py$/, 'medium', 'pip runs it to install the package'],
  [/(?:^|\/)build\.rs$/, 'medium', 'cargo compiles and runs it with every build'],
  [/(?:^|\/)binding\.gyp$/, 'medium', 'npm builds what it says on install'],
  [/(?:^|\/)extconf\.rb$/, 'medium', 'RubyGems runs it on install'],
  [/(?:^|\/)\.pnpmfile\.c?js$/, 'medium', 'pnpm runs it on install'],
  [/(?:^|\/)\.yarnrc(?:\.yml)?$/, 'medium', 'it may name plugins and the very program that Yarn runs'],
  [/(?:^|\/)\.npmrc$/, 'medium', 'it says from where npm installs and with which shell'],
  [/(?:^|\/)\.cargo\/config(?:\.toml)?$/, 'medium', 'it may name programs that cargo runs'],
  [/(?:^|\/)conftest\.py$/, 'low', 'pytest runs it before any test'],
  [/(?:^|\/)(?:\.husky|\.githooks)\/[^/]+$|(?:^|\/)lefthook\.ya?ml$/, 'medium', 'git runs it as a hook'],
  [/(?:^|\/)\.pre-commit-config\.yaml$/, 'low', 'pre-commit runs what it names with each commit'],
  [/(?:^|\/)\.envrc$/, 'medium', 'direnv runs it when the folder is entered'],
  [
    /(?:^|\/)\.vscode\/(?:tasks|settings|launch)\.json$/,
    'low',
    'the editor may run it when the folder is opened',
  ],
  [/(?:^|\/)\.devcontainer(?:\.json$|\/)/, 'low', 'it makes the machine that people work on'],
  [
    /(?:^|\/)gradle-wrapper\.(?:properties|jar)$|(?:^|\/)\.mvn\//,
    'medium',
    'it says which program the build downloads and runs',
  ],
  [/(?:^|\/)(?:GNUm|[Mm])akefile$|(?:^|\/)Rakefile$|(?:^|\/)CMakeLists\.txt$/, 'info', 'the build runs it'],
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
  const kind = runsByItself.find(([files]) => files.test(file.path));
  if (kind === undefined) return [];
  const [, severity, when] = kind;
  const body = `This file ${file.before === null ? 'is new' : 'changed'}, and ${when}.`;
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
