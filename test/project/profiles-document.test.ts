import { expect, test } from 'vitest';
import { builtinProfiles } from '../../src/agent/profiles/profiles.ts';
import { isAdvertised, selectTools } from '../../src/agent/profiles/select-tools.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { ProfilesSettings } from '../../src/config/profile-settings.ts';
import { effortNames, profileNames, toolProfileNames } from '../../src/contract/profile-names.ts';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';
import { readSource } from './source-tree.ts';

const document = readSource('docs/profiles.md');
const profiles = [...builtinProfiles.values()];

/** The rows of the table whose head begins like this. */
function rowsOf(head: string): string[] {
  const [, after = ''] = document.split(`\n${head}`);
  return (after.split('\n\n')[0] ?? '').split('\n').slice(2);
}

test('docs/profiles.md describes each built-in profile correctly', () => {
  const rows = profiles.map(({ name, base, description, readOnly, maxTurns, effort }) => {
    const also = profileNames[base].map((one) => `\`${one}\``).join(', ');
    const cells = [`\`${name}\``, also, description, readOnly ? 'no' : 'yes', maxTurns, effortNames[effort]];
    return `| ${cells.join(' | ')} |`;
  });
  expect(rowsOf('| profile |')).toEqual(rows);
});

test('docs/profiles.md lists for each tool the profiles that have it', () => {
  const columns = profiles.map((profile) => {
    const tools = selectTools(builtinTools, profile, []);
    return (tool: (typeof builtinTools)[number]) =>
      tools.includes(tool) ? (isAdvertised(tool, tools) ? '●' : '○') : '';
  });
  const rows = builtinTools
    .filter(({ name, exposure }) => exposure !== 'hidden' && name !== 'task.return')
    .map((tool) => `| \`${tool.name}\` | ${columns.map((cell) => cell(tool)).join(' | ')} |`);
  const head = `| tool | ${profiles.map(({ name }) => name).join(' | ')} |`;
  expect(document).toContain(`\n${head}\n`);
  expect(rowsOf('| tool |')).toEqual(rows);
});

test('docs/profiles.md explains each key of a profile and each tool profile, and its example is valid', () => {
  const keys = Object.keys(ProfilesSettings.valueType.shape);
  expect(keys.filter((key) => !document.includes(`\`${key}\``))).toEqual([]);
  expect(toolProfileNames.filter((name) => !document.includes(`\n| \`${name}\` | `))).toEqual([]);
  const [, example = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(document) ?? [];
  expect(Object.keys(parseConfig(example, 'docs/profiles.md').profiles ?? {})).toEqual(['fixer', 'review']);
});
