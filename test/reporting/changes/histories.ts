/** Histories of eight habits, the newest subject first, as people, bots and git leave them. */
export const histories = {
  /** Conventional Commits with scopes; bots and releases among them. */
  packages: [
    'fix(@harbour/router): keep the query when a guard redirects',
    'build: update dependency esbuild to v0.28.2',
    'feat(@harbour/router): lazy guards',
    'fix(@harbour/store): release listeners of a store that is replaced (#812)',
    'build: lock file maintenance',
    'docs(@harbour/router): explain nested outlets',
    'fix(@harbour/router): restore the scroll position after a reload, also where the page is longer than before',
    'release: cut v4.1.0-next.2',
    'refactor: sort the imports of the generated files, and of the templates that the generators read them from',
    'perf(@harbour/store): compare snapshots by their version',
    'fix(@harbour/cli): say which port is taken',
    'Merge branch "4.0.x"',
    'test: wait for the dev server',
  ],
  /** Conventional Commits with capitals and hardly a scope. */
  search: [
    'docs: Show how to leave out folders',
    'fix: Follow links of links',
    'docs: List the exit codes',
    'feat: Colour by age (#41)',
    'docs: Mention the new flag',
    'chore(ci): Build for arm64',
    'Bump regex from 1.10.2 to 1.10.3',
    'fix: Keep the order of equal names',
    'docs: Correct a spelling',
    'perf: Walk with two threads where there are two cores',
  ],
  /** Gitmoji as characters. */
  marks: [
    '🐛 Show the list on small screens',
    '✨ Search by keyword',
    '⬆️ Bump next from 14.1.0 to 14.1.1',
    '♻️ Move the cards into one component',
    '📝 Explain how marks are chosen (#97)',
    '🐛 Copy on Safari',
    '💄 Space the header',
    '👷🏽 Cache between jobs',
  ],
  /** The key of a tracker first. */
  tickets: [
    'KEEPER-512: Close sessions whose client is gone before the quorum is asked, and tell the others why',
    'KEEPER-509: Upgrade netty',
    'KEEPER-511: Name the peer in the log of a failed handshake, as the log of a successful one does',
    'Preparing development version 4.2.0',
    'KEEPER-498: Count watches per connection',
    'WEB-31: Link the new handbook',
    'KEEPER-507: Do not log the password',
  ],
  /** The folder that changed first. */
  areas: [
    'lint/checks/loops: report a range that is never read',
    'lint/checks/loops: skip generated files (#72)',
    'server/hover: show the package of an embedded field',
    'cmd/render, cmd/show: document how templates are escaped, with the one exception that plain text makes',
    'lint/checks/loops: fix the position of a nested range',
    'server/rename: refuse a name of the language',
    'all: drop what the language has built in by now, wherever the module asks for that version of it or a later one',
    'refactor/inline: keep comments of the call',
    'refactor/inline.go: correct a comment',
  ],
  /** A tag in brackets first. */
  tags: [
    'v6.12.1',
    '[Tests] `parse`: add cases of dots in keys (#98)',
    '[Fix] `stringify`: encode the comma itself',
    '[Dev Deps] update `eslint`, `tape`',
    '[Tests] increase coverage',
    '[readme] link the new page',
    '[New] `parse`: add `strictDepth`',
    '[Tests] `stringify`: cover nulls',
    'Merge branch "main"',
  ],
  /** Plain sentences. */
  requests: [
    'Send the header once',
    'v2.31.0',
    'Correct the docs of timeouts (#6001)',
    'Remove the fallback for old certificates',
    'Bump actions/checkout from 3 to 4',
    'fix flaky test',
    'Let adapters close their pools twice',
    'Keep the body of a redirect that asks for it',
  ],
  /** Plain sentences, long ones, some with a stop. */
  sentences: [
    'Keep the formatter from rounding a duration of more than twenty-four days to whole milliseconds (#1777).',
    'Fix the boundary of negated ranges in CharacterRange.contains(CharacterRange).',
    'Internal clean-up',
    'Say in the documentation what becomes of a null element, and of an array of none',
    'Test the boundary',
    'Use the common constant',
    'Prefer Objects.requireNonNull over a check of our own in the builders of the package',
    'Bump parent from 103 to 104.',
  ],
} as const satisfies Record<string, readonly string[]>;
