import { pathGlobs } from './path-globs.ts';

/** Paths no run may write, and why; matched without regard to case, as some file systems do. */
export const protectedGlobs: readonly (readonly [glob: string, reason: string])[] = [
  ['**/.git', 'it steers git itself'],
  ['**/.git/**', "it is git's own folder"],
  ['**/.anode-harness', "it is the run's own record"],
  ['**/.anode-harness/**', "it is the run's own record"],
  ['.github/anode', 'it holds the policy of this bot'],
  ['.github/anode/**', 'it holds the policy of this bot'],
  ['.github/anode.*', 'it holds the policy of this bot'],
  ['.github/workflows', 'workflows run with the secrets of the repository'],
  ['.github/workflows/**', 'workflows run with the secrets of the repository'],
  ['.github/actions', 'actions run with the secrets of the workflows that use them'],
  ['.github/actions/**', 'actions run with the secrets of the workflows that use them'],
  ['**/{agents,agent,claude,gemini}{,.local}.md', 'it instructs agents'],
  ['**/{.agents,.claude,.cursor,.gemini,.codex,.opencode}', 'it instructs agents'],
  ['**/{.agents,.claude,.cursor,.gemini,.codex,.opencode}/**', 'it instructs agents'],
  ['**/{.windsurf,.clinerules,.roo,.kiro,.junie,.continue,.qwen,.amazonq}', 'it instructs agents'],
  ['**/{.windsurf,.clinerules,.roo,.kiro,.junie,.continue,.qwen,.amazonq}/**', 'it instructs agents'],
  ['**/{.cursorrules,.windsurfrules,.roorules,.goosehints,qwen.md}', 'it instructs agents'],
  ['**/{.mcp.json,.vscode/mcp.json}', 'it names servers that agents start'],
  ['.github/{instructions,prompts,agents,skills}', 'it instructs agents'],
  ['.github/{instructions,prompts,agents,skills}/**', 'it instructs agents'],
  ['.github/copilot-instructions.md', 'it instructs agents'],
  ['**/{.husky,.githooks}', 'hooks run on the machines of whoever works here'],
  ['**/{.husky,.githooks}/**', 'hooks run on the machines of whoever works here'],
  ['{,.github/,docs/}codeowners', 'it says who must approve changes'],
];

const matchers = protectedGlobs.map(([glob, reason]) => [pathGlobs([glob]), reason] as const);

/**
 * Why a path may not be written by a run, or null when it may. `path` is relative to the workspace; `.`,
 * `..` and doubled slashes are resolved, and case, Unicode form, trailing dots and spaces do not matter.
 * `allow` holds the globs of `protected.allow`, which lift a path.
 */
export function isProtected(path: string, allow: readonly string[] = []): string | null {
  const normal = normalise(path).toLowerCase();
  const found = matchers.find(([matches]) => matches(normal));
  if (found === undefined) return null;
  const lifted = pathGlobs(allow.map((glob) => glob.toLowerCase()))(normal);
  return lifted ? null : found[1];
}

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part.replace(/[. ]+$/, '') || part);
  }
  return parts.join('/');
}
