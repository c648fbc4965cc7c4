import type { TaskTools } from './eval-task.ts';

/** An exercise, for its check. Paths are relative to its folder. */
export interface CheckedExercise {
  readonly name: string;
  readonly tests: readonly string[];
  /** Names of the mounted folders. */
  readonly mounted: readonly string[];
  /** Text of the package list with which the check must work; null without packages. */
  readonly packages: string | null;
}

/** Tests of one language of the benchmark. */
export interface PolyglotLanguage {
  /** Folders beside `exercises/` that the check sees, if they are there. */
  readonly mounts: readonly string[];
  tools(exercise: CheckedExercise): TaskTools;
  /** Command for `bash -c` at the top of the exercise. */
  check(exercise: CheckedExercise): string;
}

const cargoOptions = ({ mounted }: CheckedExercise): string =>
  mounted.includes('vendor')
    ? ` --config 'source.crates-io.replace-with="vendored"' --config 'source.vendored.directory="vendor"'`
    : '';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const quotedAll = (names: readonly string[]): string => names.map(quoted).join(' ');

/**
 * The languages by their folders. The checks run all tests, also those that the exercises leave
 * out at first (`xtest`, `@Disabled`, `#[ignore]`), as Aider's benchmark does.
 */
export const polyglotLanguages: Readonly<Record<string, PolyglotLanguage>> = {
  cpp: {
    mounts: [],
    tools: () => ({
      command: 'cmake --version && make --version && c++ --version',
      missing: 'cmake, make or a C++ compiler is missing',
    }),
    // Its CMakeLists.txt takes the names of the files from the folder's.
    check: ({ name }) =>
      [
        `copy=$(mktemp -d)/${quoted(name)} && cp -R . "$copy"`,
        'cmake -DEXERCISM_RUN_ALL_TESTS=1 -S "$copy" -B "$copy/build" > /dev/null',
        'cmake --build "$copy/build"',
      ].join(' && '),
  },
  go: {
    mounts: [],
    tools: () => ({ command: 'go version', missing: 'go is missing' }),
    check: () => 'GOTOOLCHAIN=local GOFLAGS=-mod=mod GOPROXY=off go test ./...',
  },
  java: {
    mounts: ['gradle-cache'],
    tools: () => ({ command: 'gradle --version', missing: 'gradle is missing' }),
    check: ({ tests, mounted }) =>
      [
        `sed -i '/@Disabled/d' ${quotedAll(tests)}`,
        'export GRADLE_USER_HOME="$(mktemp -d)"',
        ...(mounted.includes('gradle-cache') ? ['export GRADLE_RO_DEP_CACHE="$PWD/gradle-cache"'] : []),
        'gradle test --offline --no-daemon --console=plain',
      ].join(' && '),
  },
  javascript: {
    mounts: ['node_modules'],
    tools: () => ({
      command: 'node --version && npm --version && test -e node_modules/.bin/jest',
      missing: 'node, npm or javascript/node_modules/.bin/jest is missing',
    }),
    check: ({ tests }) =>
      [
        `sed -i -E 's/\\bx(test|it|describe)\\(/\\1(/; s/\\b(test|it|describe)\\.skip\\(/\\1(/' ${quotedAll(tests)}`,
        'npm test --silent',
      ].join(' && '),
  },
  python: {
    mounts: [],
    tools: () => ({ command: 'python3 --version', missing: 'python3 is missing' }),
    check: () =>
      [
        "if python3 -c 'import pytest' 2> /dev/null; then python3 -m pytest -q -p no:cacheprovider",
        "else python3 -m unittest discover -p '*_test.py'; fi",
      ].join('; '),
  },
  rust: {
    mounts: ['vendor'],
    tools: (exercise) =>
      exercise.packages === null
        ? { command: 'cargo --version', missing: 'cargo is missing' }
        : {
            command: [
              'cargo --version && mkdir -p src && touch src/lib.rs',
              `printf %s ${quoted(exercise.packages)} > Cargo.toml`,
              `cargo metadata --offline --format-version 1${cargoOptions(exercise)} > /dev/null`,
            ].join(' && '),
            missing: 'cargo or crates of Cargo.toml (rust/vendor) are missing',
          },
    check: (exercise) => `cargo test --offline${cargoOptions(exercise)} -- --include-ignored`,
  },
};
