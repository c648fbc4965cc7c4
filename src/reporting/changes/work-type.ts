/** What a change can be, in the types of Conventional Commits. */
export const workTypes = [
  'feat',
  'fix',
  'docs',
  'refactor',
  'perf',
  'test',
  'build',
  'ci',
  'revert',
  'chore',
] as const;
export type WorkType = (typeof workTypes)[number];

/** What kinds of files tell whatever the words say; the first that holds for all of them wins. */
const byFiles: readonly (readonly [RegExp, WorkType])[] = [
  [
    /(?:^|\/)(?:docs?|documentation)\/|\.(?:md|mdx|rst|adoc)$|(?<!(?:^|\/)(?:cmakelists|requirements[\w-]*))\.txt$/iu,
    'docs',
  ],
  [/(?:^|\/)(?:tests?|__tests__|specs?|testdata|fixtures)\/|(?:[._-](?:test|spec)|_test)\.\w+$/iu, 'test'],
  [/^\.github\/|(?:^|\/)(?:\.gitlab-ci\.yml|\.travis\.yml|jenkinsfile|azure-pipelines\.yml)$/iu, 'ci'],
  [
    /(?:^|\/)(?:package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|cargo\.(?:toml|lock)|go\.(?:mod|sum)|pom\.xml|build\.gradle(?:\.kts)?|makefile|dockerfile|cmakelists\.txt|pyproject\.toml|requirements[\w-]*\.txt|gemfile(?:\.lock)?)$/iu,
    'build',
  ],
];

/** What the first word says that is done, in any of its usual forms. */
const byVerb: readonly (readonly [RegExp, WorkType])[] = [
  [/^revert/iu, 'revert'],
  [/^(?:add|test|cover)\w*\b.*\b(?:tests?|specs?|coverage)\b/iu, 'test'],
  [/^(?:document|explain|describe)|\b(?:readme|changelog|docstrings?|typos?)\b/iu, 'docs'],
  [
    /^(?:fix|correct|repair|resolve|prevent|avoid|handle|stop|guard|restore|keep|do not|don't|reject|escape)|\b(?:bug|crash|regression|off[- ]by[- ]one)\b/iu,
    'fix',
  ],
  [/^(?:speed|cache|optimi[sz]e|reduce)|\b(?:faster|performance|slow)\b/iu, 'perf'],
  [
    /^(?:refactor|rename|extract|simplify|move|split|inline|clean|reorgani[sz]e|restructure|deduplicate)/iu,
    'refactor',
  ],
  [/^(?:upgrade|bump|pin|update) .*\b(?:dependenc|version|to v?\d)/iu, 'build'],
  [/^(?:add|allow|implement|introduce|support|let|enable|make|create|provide|accept|show|offer)/iu, 'feat'],
];

/**
 * What type of work a change is, from the files it touches and the words that say what was done. What neither tells is
 * a feature where an issue was implemented (`asked`), else a chore.
 */
export function workTypeOf(words: string, files: readonly string[], asked: 'feat' | 'chore'): WorkType {
  const all = byFiles.find(([pattern]) => files.length > 0 && files.every((file) => pattern.test(file)));
  if (all !== undefined) return all[1];
  return byVerb.find(([pattern]) => pattern.test(words.trim()))?.[1] ?? asked;
}
